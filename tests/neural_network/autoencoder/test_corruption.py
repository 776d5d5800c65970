"""Noise by masks, Gaussians, salt and pepper."""

import numpy as np
import pytest

from gramian.neural_network import corrupt
from gramian.neural_network.autoencoder.corruption import corrupted, noise_of

X = np.full((200, 100), 0.5)
X[0, :2] = 0.0, 1.0  # the limits


def in_training(kind, level):
    return corrupted(X, kind, level, (0.0, 1.0), noise_of(0))


def by_the_function(kind, level):
    return corrupt(X, kind, level, random_state=0)


@pytest.mark.parametrize("noise", [by_the_function, in_training])
def test_each_kind_does_what_it_says(noise):
    """T29: masks of up to half of the inputs."""
    masked = noise("masking", 0.5)
    assert (masked == 0).mean() == pytest.approx(0.5, abs=0.02)
    assert set(np.unique(masked)) == {0.0, 0.5, 1.0} or set(np.unique(masked)) == {0.0, 0.5}
    spiced = noise("salt_and_pepper", 0.3)
    assert (spiced == 0).mean() == pytest.approx(0.15, abs=0.02)
    assert (spiced == 1).mean() == pytest.approx(0.15, abs=0.02)
    added = noise("gaussian", 0.2) - X
    assert added.std() == pytest.approx(0.2, rel=0.05)
    assert added.mean() == pytest.approx(0.0, abs=0.01)


@pytest.mark.parametrize("noise", [by_the_function, in_training])
@pytest.mark.parametrize("kind", ["masking", "gaussian", "salt_and_pepper"])
def test_no_noise_changes_nothing(noise, kind):
    np.testing.assert_array_equal(noise(kind, 0.0), X)


def blots(x, level, rng):
    x[:, rng.integers(x.shape[1])] = level
    return x


@pytest.mark.parametrize("noise", [by_the_function, in_training])
def test_noise_can_be_a_custom_function(noise):
    noisy = noise(blots, 0.25)
    changed = (noisy == 0.25).all(axis=0)
    assert changed.sum() == 1
    np.testing.assert_array_equal(noisy[:, ~changed], X[:, ~changed])
    assert not (X == 0.25).any()  # it changed a copy
    np.testing.assert_array_equal(noise(blots, 0.25), noisy)
    with pytest.raises(ValueError, match="of the shape of the rows"):
        noise(lambda x, level, rng: x[:3], 0.2)
    with pytest.raises(ValueError, match="finite numbers"):
        noise(lambda x, level, rng: x * np.nan, 0.2)


def test_single_precision_stays():
    assert corrupt(X.astype(np.float32), "gaussian", 0.1).dtype == np.float32
    doubled = corrupt(X.astype(np.float32), lambda x, level, rng: x.astype(float) * 2)
    assert doubled.dtype == np.float32


def test_the_noise_of_a_training_follows_from_its_seed():
    assert noise_of(3).random() == noise_of(3).random() != noise_of(4).random()


def test_bad_requests():
    with pytest.raises(ValueError, match="corruption must be one of"):
        corrupt(X, "blur")
    with pytest.raises(ValueError, match=r"a fraction in \[0, 1\)"):
        corrupt(X, "masking", 1.0)
    with pytest.raises(ValueError, match="noise_level must be a finite number >= 0"):
        corrupt(X, blots, -1.0)
    assert corrupt(X, "gaussian", 2.0).std() > 1
