"""NumPy arrays as tensors and back, PyTorch's threads, and its name in one place."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ModelFileError, need
from gramian.base.runtime.threads import get_num_threads

Tensor: TypeAlias = Any  # a torch.Tensor; there may be no torch to name it by
Tensors: TypeAlias = dict[str, Tensor]
Arrays: TypeAlias = dict[str, npt.NDArray[Any]]

LEAST_WORK = 4e6  # products of a weight and an input, about a millisecond
PREDICT_ROWS = 1024  # at a time, so that the maps of a large table are never all in memory


def torch_module() -> Any:
    """Import PyTorch, or say how to install it."""
    return need("torch", extra="nn")


def tensor_of(array: npt.NDArray[Any]) -> Tensor:
    """Return a tensor of the array's memory, or of a copy where that is read-only.

    Examples
    --------
    >>> tensor_of(np.arange(3.0)).tolist()
    [0.0, 1.0, 2.0]
    """
    if not array.flags.writeable or any(stride < 0 for stride in array.strides):
        array = array.copy()
    return torch_module().from_numpy(array)


def tensors_of(weights: Mapping[str, npt.NDArray[Any]]) -> Tensors:
    """Return the tensors of named arrays."""
    return {name: tensor_of(array) for name, array in weights.items()}


def arrays_of(tensors: Mapping[str, Tensor]) -> Arrays:
    """Return copies of named tensors as arrays."""
    return {name: np.array(tensor.detach().numpy()) for name, tensor in tensors.items()}


@contextmanager
def torch_threads(work: float) -> Iterator[Any]:
    """Let PyTorch use as many threads as gramian's pool has; give `torch`.

    `work` is the number of products of a step; few are done by one thread, because the others
    take longer to wake than to compute.
    """
    torch = torch_module()
    before = torch.get_num_threads()
    torch.set_num_threads(get_num_threads() if work >= LEAST_WORK else 1)
    try:
        yield torch
    finally:
        torch.set_num_threads(before)


def generator_of(seed: int) -> Any:
    """Return a generator of PyTorch's that only its owner draws from.

    The global generator belongs to the user, and two fits in two threads would share it.
    """
    return torch_module().Generator().manual_seed(seed)


def check_shapes(owner: str, weights: Any, wanted: Mapping[str, tuple[int, ...]]) -> None:
    """Raise unless named arrays of a model file have these shapes, and one type of float.

    Examples
    --------
    >>> check_shapes("Autoencoder", {"encoder0.bias": np.zeros(3)}, {"encoder0.bias": (3,)})
    """
    good = isinstance(weights, dict) and all(isinstance(w, np.ndarray) for w in weights.values())
    if not good or {name: w.shape for name, w in weights.items()} != dict(wanted):
        raise ModelFileError(f"{owner}: weights_ must have the shapes that its layers need.")
    if {w.dtype for w in weights.values()} not in ({np.dtype("f4")}, {np.dtype("f8")}):
        raise ModelFileError(f"{owner}: weights_ must be all float32 or all float64.")
