"""Arrays as bytes that compress well.

Arrays of models often repeat one number (the threshold of every leaf is NaN, its impurity 0), and
the other numbers differ only in their last bytes. So the most frequent number is stored once, with
a bit per entry that marks the other numbers; of these, all first bytes are stored before all second
bytes, and so on. Nothing is lost, and a general compressor does the rest.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Bytes: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]

_FEW = 256  # entries below which nothing is gained
_SAMPLE = 1000  # entries among which the most frequent number is sought


class Packed(NamedTuple):
    """An array in parts; numbers are little-endian."""

    dtype: str
    shape: tuple[int, ...]
    often: bytes  # the most frequent number
    where: Bytes  # a bit per entry: another number is here
    planes: Bytes  # the other numbers' bytes, of shape (bytes of a number, numbers)


def can_pack(array: npt.NDArray[Any]) -> bool:
    """Return whether packing an array of numbers may make it smaller."""
    return array.size >= _FEW and array.dtype.itemsize in (2, 4, 8)


def pack(array: npt.NDArray[Any]) -> Packed:
    """Pack an array of numbers."""
    size = array.dtype.itemsize
    little = array.astype(array.dtype.newbyteorder("<"), copy=False)
    words = np.ascontiguousarray(little).reshape(-1).view(f"<u{size}")
    numbers, counts = np.unique(words[:: -(-len(words) // _SAMPLE)], return_counts=True)
    often = numbers[counts.argmax()]
    differs = words != often
    others = words[differs].view(np.uint8).reshape(-1, size)
    return Packed(
        array.dtype.name,
        array.shape,
        often.tobytes(),
        np.packbits(differs),
        np.ascontiguousarray(others.T),
    )


def unpack(packed: Packed) -> npt.NDArray[Any]:
    """Restore a packed array; raise ValueError if its parts do not match."""
    dtype, (_, shape, often, where, planes) = np.dtype(packed.dtype), packed
    size = dtype.itemsize
    if dtype.kind not in "iuf" or size not in (2, 4, 8):
        raise ValueError(f"packed numbers of type {dtype}")
    if where.dtype != np.uint8 or where.ndim != 1 or planes.dtype != np.uint8 or planes.ndim != 2:
        raise ValueError("packed parts must be bytes")
    n = 1
    for length in shape:
        if type(length) is not int or length < 0:
            raise ValueError(f"a packed array of shape {shape}")
        n *= length
    if len(where) != -(-n // 8) or len(planes) != size or len(often) != size:
        raise ValueError(f"packed parts of {len(where)} and {planes.shape} for shape {shape}")
    differs = np.unpackbits(where, count=n).view(bool)
    if np.count_nonzero(differs) != planes.shape[1]:
        raise ValueError("a packed number is missing")
    words = np.full(n, np.frombuffer(often, f"<u{size}")[0])
    words[differs] = np.ascontiguousarray(planes.T).view(f"<u{size}").reshape(-1)
    return words.view(dtype.newbyteorder("<")).astype(dtype, copy=False).reshape(shape)
