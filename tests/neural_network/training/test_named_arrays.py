"""Arrays by name, and the missing extra."""

import builtins
import subprocess
import sys

import numpy as np
import pytest

import gramian
from gramian.base.errors import MissingExtra, ModelFileError
from gramian.neural_network import Conv, Pool
from gramian.neural_network.training.named_arrays import check_shapes, copies_of
from gramian.objectives.tensors import torch_module

MODELS = [
    gramian.ConvClassifier([Conv(2, 2)], max_iter=1),
    gramian.ConvRegressor([Conv(2, 2, activation="tanh"), Pool(2, "average")], max_iter=1),
    gramian.Autoencoder(2, max_iter=1, tied_weights=True),
    gramian.DenoisingAutoencoder(2, max_iter=1, corruption="gaussian"),
    gramian.StackedDenoisingAutoencoder((2, 2), max_iter=1),
    gramian.StackedDenoisingClassifier((2,), max_iter=1, pretrain_iter=1),
]


@pytest.mark.slow
def test_importing_the_family_imports_no_torch():
    code = "import sys, gramian.neural_network; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.fixture
def _without_torch(monkeypatch):
    def without_torch(name, *arguments, imports=builtins.__import__, **settings):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError("No module named 'torch'", name="torch")
        return imports(name, *arguments, **settings)

    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr(builtins, "__import__", without_torch)


@pytest.mark.usefixtures("_without_torch")
@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_networks_train_and_predict_without_torch(model):
    X = np.random.default_rng(0).random((12, 6))
    fitted = model.fit(X, np.arange(12) % 2)
    found = fitted.predict(X) if hasattr(fitted, "predict") else fitted.transform(X)
    assert len(found) == 12
    with pytest.raises(MissingExtra, match=r'pip install "gramian\[nn\]"'):
        fitted.to_torch()


@pytest.mark.usefixtures("_without_torch")
def test_without_torch_the_error_says_how_to_install_it():
    with pytest.raises(MissingExtra, match="torch is needed here"):
        torch_module()


def test_copies_share_no_memory():
    array = np.ones((2, 3)).T
    copy = copies_of({"a": array})["a"]
    array[:] = 0
    assert copy.flags.c_contiguous
    assert copy.all()


def test_shapes_of_a_file():
    check_shapes("Net", {"w": np.zeros((2, 3))}, {"w": (2, 3)})
    for bad in ({"w": np.zeros(2)}, {}, {"w": [0.0]}, None):
        with pytest.raises(ModelFileError, match="shapes"):
            check_shapes("Net", bad, {"w": (2, 3)})
    with pytest.raises(ModelFileError, match="float32"):
        check_shapes("Net", {"w": np.zeros(2, dtype=int)}, {"w": (2,)})
