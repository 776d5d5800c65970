"""NumPy results, typed by mypy with the plugin `tools/numpy_types.py`; mypy checks this file."""

from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

from gramian.base.types import Floats

AnyArray = np.ndarray[tuple[Any, ...], np.dtype[Any]]
OpenFloats = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
OpenBits = np.ndarray[tuple[Any, ...], np.dtype[np.bool]]
Bits = np.ndarray[tuple[int, ...], np.dtype[np.bool]]


def reductions(a: Floats, vector: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
    """Without an axis a number, along an axis an array of unknown dimensions."""
    assert_type(a.sum(), np.float64)
    assert_type(a.sum(axis=0), OpenFloats)
    assert_type(a.max(axis=1, keepdims=True), OpenFloats)
    assert_type(vector.sum(axis=0), np.float64)


def elements(vector: np.ndarray[tuple[int], np.dtype[np.float64]], a: Floats) -> None:
    """The element of a vector is a number; what that of an array is depends on its dimensions."""
    assert_type(vector[0], np.float64)
    assert_type(a[0], Any)


def functions(a: Floats, x: float) -> None:
    """Functions of each element keep the shape."""
    assert_type(np.sqrt(a), Floats)
    assert_type(np.sqrt(x), np.float64)
    assert_type(np.isfinite(a), Bits)
    assert_type(np.einsum("ij,j->i", a, a), OpenFloats)
    assert_type(np.einsum("ij,ij->", a, a), np.float64)


def unknown(table: npt.NDArray[Any], a: Floats) -> None:
    """Elements of an open type stay open."""
    assert_type(table + a, AnyArray)
    assert_type(table == a, OpenBits)
    assert_type(table.sum(), Any)
