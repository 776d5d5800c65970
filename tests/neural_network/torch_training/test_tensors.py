"""Arrays and tensors, threads, the missing extra."""

import builtins
import subprocess
import sys

import numpy as np
import pytest

import gramian
from gramian.base.errors import MissingExtra, ModelFileError
from gramian.neural_network.torch_training.tensors import (
    LEAST_WORK,
    arrays_of,
    check_shapes,
    generator_of,
    tensor_of,
    tensors_of,
    torch_module,
    torch_threads,
)


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="PyTorch is not installed")


@pytest.mark.slow
def test_importing_the_family_imports_no_torch():
    code = "import sys, gramian.neural_network; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_without_torch_the_error_says_how_to_install_it(monkeypatch):
    def without_torch(name, *given, imports=builtins.__import__, **settings):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError("No module named 'torch'", name="torch")
        return imports(name, *given, **settings)

    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr(builtins, "__import__", without_torch)
    with pytest.raises(MissingExtra, match=r'pip install "gramian\[nn\]"'):
        gramian.ConvClassifier().fit([[0.0, 1.0], [1.0, 0.0]], [0, 1])
    with pytest.raises(MissingExtra, match="torch is needed here"):
        torch_module()


def test_a_tensor_shares_memory_unless_it_may_not_be_written(torch):
    array = np.arange(3.0)
    tensor_of(array)[0] = 7.0
    assert array[0] == 7.0
    array.flags.writeable = False
    tensor_of(array)[0] = 0.0
    assert array[0] == 7.0
    assert tensor_of(np.arange(4.0)[::-1]).tolist() == [3.0, 2.0, 1.0, 0.0]


def test_arrays_come_back_as_copies(torch):
    tensors = tensors_of({"a": np.ones(2)})
    arrays = arrays_of(tensors)
    tensors["a"].zero_()
    assert arrays["a"].tolist() == [1.0, 1.0]


def test_threads_are_the_pools_for_much_work_and_one_for_little(torch):
    before = torch.get_num_threads()
    gramian.set_num_threads(3)
    with torch_threads(LEAST_WORK):
        assert torch.get_num_threads() == 3
    with torch_threads(1):
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == before


@pytest.mark.parametrize("seed", [0, 2**63, 2**64 - 1])
def test_a_generator_has_its_own_numbers(torch, seed):
    one, two = generator_of(seed), generator_of(seed)
    assert torch.equal(torch.rand(3, generator=one), torch.rand(3, generator=two))


def test_shapes_of_a_file():
    check_shapes("Net", {"w": np.zeros((2, 3))}, {"w": (2, 3)})
    for bad in ({"w": np.zeros(2)}, {}, {"w": [0.0]}, None):
        with pytest.raises(ModelFileError, match="shapes"):
            check_shapes("Net", bad, {"w": (2, 3)})
    with pytest.raises(ModelFileError, match="float32"):
        check_shapes("Net", {"w": np.zeros(2, dtype=int)}, {"w": (2,)})
