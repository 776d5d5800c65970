"""LeNet-5: its layers, and its score on enlarged digits."""

import numpy as np
import pytest
from scipy.ndimage import zoom
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from gramian.neural_network import LeNet5, summarize_layers


def test_shapes_agree_with_the_paper():
    for shape in ((32, 32, 1), (28, 28, 1)):
        model = LeNet5(shape, max_iter=3)
        sizes = [line.output_shape for line in summarize_layers(model.layers, shape)]
        assert sizes == [(28, 28, 6), (14, 14, 6), (10, 10, 16), (5, 5, 16), (120,), (84,)]
        assert model.max_iter == 3


def test_the_original_has_tanh_and_means():
    layers = LeNet5(style="original").layers
    assert [getattr(layer, "activation", None) for layer in layers[::2]] == ["tanh", "tanh", "tanh"]
    assert layers[1].kind == layers[3].kind == "average"


@pytest.mark.parametrize("shape", [(8, 8, 1), (32, 32), "32"])
def test_small_images_and_other_shapes_are_refused(shape):
    with pytest.raises(ValueError, match=r"^LeNet5: "):
        LeNet5(shape)


def test_an_unknown_style_is_refused():
    with pytest.raises(ValueError, match="style must be 'modern' or 'original'"):
        LeNet5(style="ancient")


@pytest.mark.slow
def test_lenet_reads_enlarged_digits():
    """A smaller run of benchmarks/digits_networks.py, which measures 15 folds."""
    digits = load_digits()
    X = zoom(digits.images / 16, (1, 4, 4), order=1).astype(np.float32)
    parts = train_test_split(X, digits.target, test_size=0.3, random_state=0)
    X_train, X_test, y_train, y_test = parts
    model = LeNet5(
        max_iter=8, batch_size=32, learning_rate_init=3e-3, learning_rate="cosine", random_state=0
    )
    assert model.fit(X_train, y_train).score(X_test, y_test) > 0.95
