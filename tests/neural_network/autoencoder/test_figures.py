"""Inputs, noisy inputs and reconstructions in rows."""

import matplotlib as mpl
import numpy as np
import pytest

from gramian.neural_network import Autoencoder, DenoisingAutoencoder, plot_reconstructions

mpl.use("Agg")


def test_noise_is_shown_where_there_is_some(rng):
    X = rng.random((30, 16))
    plain = plot_reconstructions(Autoencoder(3, max_iter=1).fit(X), X[:4], (4, 4))
    noisy = plot_reconstructions(DenoisingAutoencoder(3, max_iter=1).fit(X), X[:4], (4, 4))
    assert [t.get_text() for t in plain.get_yticklabels()] == ["input", "reconstruction"]
    assert [t.get_text() for t in noisy.get_yticklabels()] == [
        "input",
        "corrupted",
        "reconstruction",
    ]
    assert len(noisy.images) == 12


def test_a_shape_that_does_not_fit_is_refused(rng):
    model = Autoencoder(3, max_iter=1).fit(rng.random((30, 16)))
    with pytest.raises(ValueError, match="no rows of 3 x 4 numbers"):
        plot_reconstructions(model, np.zeros((2, 16)), (3, 4))
