"""NumPy results, typed by mypy with the plugin `tools/numpy_types.py`; mypy checks this file."""

from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

from gramian.base.errors import need
from gramian.base.types import Floats

AnyArray = np.ndarray[tuple[Any, ...], np.dtype[Any]]
Vector = np.ndarray[tuple[int], np.dtype[np.float64]]
OpenFloats = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
OpenBits = np.ndarray[tuple[Any, ...], np.dtype[np.bool]]
Bits = np.ndarray[tuple[int], np.dtype[np.bool]]


def reductions(a: Floats, vector: Vector) -> None:
    """Without an axis a number, along an axis an array of unknown dimensions."""
    assert_type(a.sum(), np.float64)
    assert_type(a.sum(axis=0), OpenFloats)
    assert_type(a.max(axis=1, keepdims=True), OpenFloats)
    assert_type(vector.sum(axis=0), np.float64)


def elements(vector: Vector, a: Floats) -> None:
    """The element of a vector is a number; what that of an array is depends on its dimensions."""
    assert_type(vector[0], np.float64)
    assert_type(a[0], Any)
    assert_type(vector[1:] - 1.0, Vector)
    assert_type(vector[vector > 0], Vector)
    assert_type(vector > 0, Bits)
    for number, (x, _) in enumerate(zip(vector, [1], strict=True)):
        assert_type((number, x), tuple[int, np.float64])


def lists(a: Floats, vector: Vector) -> None:
    """A list has lists or numbers; a power of a float is one."""
    assert_type(a.tolist(), list[Any])
    assert_type(vector.tolist(), list[float])
    assert_type(vector.tolist()[0] ** 0.5, float)
    assert_type(np.unique(a), Vector)


def modules() -> None:
    """An optional module has the type of the module itself."""
    assert_type(need("json", extra="app").dumps({}), str)


def functions(a: Floats, x: float) -> None:
    """Functions of each element keep the shape."""
    assert_type(np.sqrt(a), Floats)
    assert_type(np.sqrt(x), np.float64)
    assert_type(np.isfinite(a), OpenBits)
    assert_type(np.einsum("ij,j->i", a, a), OpenFloats)
    assert_type(np.einsum("ij,ij->", a, a), np.float64)


def unknown(table: npt.NDArray[Any], a: Floats) -> None:
    """Elements of an open type stay open."""
    assert_type(table + a, AnyArray)
    assert_type(table == a, OpenBits)
    assert_type(table.sum(), Any)
