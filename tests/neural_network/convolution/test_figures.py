"""Figures of fitted networks show their arrays."""

import matplotlib as mpl
import numpy as np
import pytest

from gramian.neural_network import (
    Conv,
    ConvClassifier,
    Dense,
    Pool,
    plot_feature_maps,
    plot_filters,
    plot_layers,
)

mpl.use("Agg")


@pytest.fixture(scope="module")
def model():
    X = np.random.default_rng(0).random((20, 8, 8))
    layers = [Conv(3, 3), Pool(2), Dense(4)]
    return ConvClassifier(layers, max_iter=1, random_state=0).fit(X, np.arange(20) % 2)


def test_filters(model):
    ax = plot_filters(model)
    assert len(ax.images) == 3
    np.testing.assert_allclose(ax.images[1].get_array(), model.filters()[1, ..., 0])


def test_feature_maps(model):
    image = np.random.default_rng(1).random((8, 8))
    ax = plot_feature_maps(model, image)
    assert len(ax.images) == 1 + 3 + 3
    np.testing.assert_allclose(
        ax.images[2].get_array(), model.feature_maps(image[None])[0][0, ..., 1]
    )
    assert [t.get_text() for t in ax.get_yticklabels()] == ["input", "0: Conv", "1: Pool"]


def test_layers(model):
    ax = plot_layers(model)
    assert [t.get_text().split("\n")[0] for t in ax.texts] == [
        "input",
        "Conv",
        "Pool",
        "Dense",
        "output",
    ]


def test_signals_have_no_images():
    model = ConvClassifier([Conv(2, 3)], max_iter=1).fit(np.eye(6), [0, 1, 0, 1, 0, 1])
    with pytest.raises(ValueError, match="fitted to signals"):
        plot_filters(model)
