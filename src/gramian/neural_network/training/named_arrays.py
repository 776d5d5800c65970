"""Weights as named arrays."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ModelFileError

Arrays: TypeAlias = dict[str, npt.NDArray[Any]]


def copies_of(weights: Mapping[str, npt.NDArray[Any]]) -> Arrays:
    """Return contiguous copies of named arrays.

    Examples
    --------
    >>> copies_of({"layer0.bias": np.zeros(2)})
    {'layer0.bias': array([0., 0.])}
    """
    return {name: np.array(array, order="C") for name, array in weights.items()}


def check_shapes(owner: str, weights: Any, wanted: Mapping[str, tuple[int, ...]]) -> None:
    """Raise unless the arrays of a model file have these shapes and one float type.

    Examples
    --------
    >>> check_shapes("Autoencoder", {"encoder0.bias": np.zeros(3)}, {"encoder0.bias": (3,)})
    """
    good = isinstance(weights, dict) and all(isinstance(w, np.ndarray) for w in weights.values())
    if not good or {name: w.shape for name, w in weights.items()} != dict(wanted):
        raise ModelFileError(f"{owner}: weights_ must have the shapes that its layers need.")
    if {w.dtype for w in weights.values()} not in ({np.dtype("f4")}, {np.dtype("f8")}):
        raise ModelFileError(f"{owner}: weights_ must be all float32 or all float64.")
