"""Packed arrays come back bit for bit, and parts that do not fit are refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramian.base.files.packing import can_pack, pack, unpack

TYPES = ["int16", "uint16", "float16", "int32", "float32", "int64", "uint64", "float64"]


@pytest.mark.slow
@given(
    st.sampled_from(TYPES),
    st.sampled_from("<>"),
    st.integers(256, 3000),
    st.floats(0, 1),
    st.integers(0, 2**32 - 1),
)
def test_every_bit_comes_back(dtype, order, n, share, seed):
    rng = np.random.default_rng(seed)
    array = rng.bytes(n * np.dtype(dtype).itemsize)
    array = np.frombuffer(array, dtype=np.dtype(dtype).newbyteorder(order)).copy()
    array[rng.random(n) < share] = array[0]
    assert can_pack(array)
    back = unpack(pack(array))
    assert back.dtype == np.dtype(dtype)
    assert back.astype(array.dtype).tobytes() == array.tobytes()


@pytest.mark.parametrize("shape", [(300,), (3, 100, 1), (20, 20)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_shapes_and_special_numbers_come_back(shape, order):
    array = np.zeros(shape, order=order)
    array.ravel()[:3] = [np.nan, -0.0, np.inf]
    array[-1] = np.nan
    back = unpack(pack(array))
    assert back.shape == shape
    assert back.tobytes() == array.tobytes()


def test_few_entries_and_single_bytes_are_not_packed():
    assert not can_pack(np.zeros(255))
    assert not can_pack(np.zeros(1000, np.uint8))
    assert not can_pack(np.zeros(1000, np.longdouble)) or np.longdouble().itemsize == 8


@pytest.mark.parametrize(
    "change",
    [
        {"dtype": "object"},
        {"dtype": "complex64"},
        {"dtype": "U2"},
        {"dtype": "bool"},
        {"shape": (10**12,)},
        {"shape": (-1, -400)},
        {"shape": (-1,)},
        {"shape": (2.0, 200)},
        {"shape": (500,)},
        {"often": b""},
        {"often": b"123456789"},
        {"where": np.zeros(50, np.int8)},
        {"where": np.zeros((50, 1), np.uint8)},
        {"where": np.zeros(50, np.uint8)},
        {"where": np.full(50, 255, np.uint8)},
        {"planes": np.zeros((8, 3), np.uint8)},
        {"planes": np.zeros((8, 1), np.uint8)},
        {"planes": np.zeros((4, 400), np.uint8)},
        {"planes": np.zeros((8, 400), np.int8)},
        {"planes": np.zeros(400, np.uint8)},
    ],
)
def test_parts_that_do_not_fit_are_refused(change):
    packed = pack(np.arange(400.0) // 7)
    with pytest.raises(ValueError, match="packed"):
        unpack(packed._replace(**change))
