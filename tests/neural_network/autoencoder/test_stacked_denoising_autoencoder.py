"""Stacks of denoising autoencoders."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

import gramian
from gramian.neural_network import StackedDenoisingAutoencoder
from gramian.neural_network.autoencoder.stacked_denoising_autoencoder import (
    IsSizes,
    autoencoder_settings,
)


def test_codes_of_two_levels_reconstruct_digits(tmp_path):
    X = (load_digits().data / 16).astype(np.float32)
    model = StackedDenoisingAutoencoder(
        (64, 32),
        loss="cross_entropy",
        noise_level=0.2,
        learning_rate_init=0.01,
        max_iter=30,
        random_state=0,
    ).fit(X[:1000])
    new = X[1000:]
    assert model.transform(new).shape == (797, 32)
    around_the_mean = ((new - X[:1000].mean(axis=0)) ** 2).mean()
    assert ((new - model.reconstruct(new)) ** 2).mean() < 0.6 * around_the_mean
    copy = gramian.load(gramian.save(model, tmp_path / "stack.gram"))
    np.testing.assert_array_equal(copy.reconstruct(new), model.reconstruct(new))
    assert len(model.loss_curves_) == 2


def test_sizes_are_positive_integers():
    rule = IsSizes()
    assert rule.accepts((3,))
    assert not any(rule.accepts(v) for v in ((), (0,), 3, (2.0,), (True,)))
    with pytest.raises(ValueError, match="hidden_layer_sizes must be a list or tuple"):
        StackedDenoisingAutoencoder(()).fit([[1.0]])


def test_the_coding_matches_the_parameters():
    coding = autoencoder_settings(StackedDenoisingAutoencoder(tied_weights=True, noise_level=0.5))
    assert coding.tied
    assert coding.noise_level == 0.5
    assert coding.output == "identity"
