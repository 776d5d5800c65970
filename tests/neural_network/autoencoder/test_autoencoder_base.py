"""What all autoencoders share: shapes of codes, modules, files."""

import numpy as np
import pytest

import gramian
from gramian.base.errors import ModelFileError
from gramian.neural_network import Autoencoder, DenoisingAutoencoder, StackedDenoisingAutoencoder
from gramian.neural_network.autoencoder.autoencoder_base import check_levels, check_unit_interval

MODELS = [
    Autoencoder(3, max_iter=3, random_state=0),
    Autoencoder(3, max_iter=3, loss="cross_entropy", tied_weights=True, random_state=0),
    DenoisingAutoencoder(9, max_iter=3, activation="relu", random_state=0),
    StackedDenoisingAutoencoder((4, 2), max_iter=3, activation="tanh", random_state=0),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_the_module_reconstructs(model, rng):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    X = rng.random((30, 6))
    model.fit(X)
    with torch.no_grad():
        found = model.to_torch()(torch.tensor(X)).numpy()
    np.testing.assert_allclose(found, model.reconstruct(X), atol=1e-12)


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_errors_match_the_reconstruction(model, rng):
    X = rng.random((30, 6))
    z = model.fit(X).reconstruct(X)
    if model.loss == "cross_entropy":
        expected = -(X * np.log(z) + (1 - X) * np.log(1 - z)).sum(axis=1)
    else:
        expected = ((X - z) ** 2).sum(axis=1)
    np.testing.assert_allclose(model.reconstruction_errors(X), expected, rtol=1e-9)
    assert model.score(X) == pytest.approx(-expected.mean())


def test_the_cross_entropy_of_other_numbers_is_refused(rng):
    X = rng.random((30, 6))
    model = Autoencoder(3, max_iter=1, loss="cross_entropy").fit(X)
    with pytest.raises(ValueError, match=r"needs numbers in \[0, 1\]"):
        model.reconstruction_errors(2 * X)


def test_codes_of_another_length_are_refused(rng):
    model = MODELS[0].fit(rng.random((30, 6)))
    with pytest.raises(ValueError, match="codes must have 3 columns"):
        model.inverse_transform(np.zeros((2, 4)))


def test_names_of_the_codes(rng):
    model = MODELS[0].fit(rng.random((30, 6)))
    assert model.get_feature_names_out().tolist() == [
        "autoencoder0",
        "autoencoder1",
        "autoencoder2",
    ]


def test_files_with_weights_that_do_not_fit_are_refused(rng, tmp_path):
    model = Autoencoder(3, max_iter=1).fit(rng.random((30, 6)))
    model.weights_["decoder0.bias"] = np.zeros(5)
    with pytest.raises(ModelFileError, match="weights_"):
        gramian.load(gramian.save(model, tmp_path / "model.gram"))


def test_the_levels_of_a_file_are_checked():
    good = {
        "encoder0.weight": np.zeros((2, 3)),
        "encoder0.bias": np.zeros(2),
        "decoder0.bias": np.zeros(3),
    }
    check_levels("Autoencoder", good, 3, 2)
    for bad in ({}, {**good, "encoder0.bias": np.zeros(3)}, {**good, "other": np.zeros(1)}, [1]):
        with pytest.raises(ModelFileError):
            check_levels("Autoencoder", bad, 3, 2)
    with pytest.raises(ModelFileError):
        check_levels("Autoencoder", good, 3, 4)


def test_numbers_outside_the_unit_interval():
    check_unit_interval("Autoencoder", np.array([[0.0, 1.0]]))
    with pytest.raises(ValueError, match="MinMaxScaler"):
        check_unit_interval("Autoencoder", np.array([[0.0, 1.1]]))
