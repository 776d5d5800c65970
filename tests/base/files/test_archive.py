"""Forged model files: sizes are checked before they are believed."""

import io
import tracemalloc
import zipfile

import numpy as np
import pytest

import gramian
from gramian.base.errors import ModelFileError
from gramian.base.files import archive
from gramian.base.files.packing import pack
from tests.base.files.forging import MB, forge, npy, refusal


def with_header(text, body=b""):
    header = text.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + body


# --- sizes ------------------------------------------------------------------------------------


def test_entries_that_the_manifest_does_not_name_are_not_read(path):
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as file:
        file.writestr("bomb.npy", bytes(200 * MB))
    tracemalloc.start()
    try:
        gramian.load(path)
        assert tracemalloc.get_traced_memory()[1] < 10 * MB
    finally:
        tracemalloc.stop()


def test_an_array_beyond_the_limit_is_refused_before_it_is_read(path):
    forge(path, lambda root, parts: parts.update({"a0.npy": npy(np.zeros(60 * MB // 8))}))
    assert "needs 62914560 bytes for array 'a0'" in refusal(path, max_bytes=50 * MB)


def test_packed_bits_count_as_what_they_become(path):
    array = np.zeros(60 * MB // 8)
    packed = pack(array)

    def change(root, parts):
        parts["w.npy"], parts["p.npy"] = npy(packed.where), npy(packed.planes)
        root["fitted"]["cluster_centers_"] = {
            "packed": "float64", "shape": list(array.shape), "often": "00" * 8,
            "where": "w", "planes": "p",
        }  # fmt: skip

    forge(path, change)
    assert path.stat().st_size < MB // 10
    assert "for a packed array" in refusal(path, max_bytes=50 * MB)


def test_strings_count_as_the_longest_of_them(path):
    texts = ["x" * 20_000] + [""] * 1000
    node = {"strings": texts, "shape": [1001], "dtype": "U"}
    forge(path, lambda root, parts: root["fitted"].update(names_=node))
    assert "bytes for strings" in refusal(path, max_bytes=50 * MB)
    assert gramian.load(path).names_.nbytes == 4 * 1001 * 20_000  # within what is usual


def test_a_manifest_beyond_the_limit_is_refused_before_it_is_read(path):
    forge(path, lambda root, parts: root["fitted"].update(many_=[[]] * 1_500_000))
    assert "for the manifest" in refusal(path, max_bytes=50 * MB)


def test_brackets_of_the_manifest_count_as_the_objects_they_become(path):
    node = []
    for _ in range(90):
        node = [node]
    forge(path, lambda root, parts: root["fitted"].update(many_=[node] * 6000))
    assert "for the manifest" in refusal(path, max_bytes=50 * MB)


def test_an_entry_shorter_than_it_declares_is_refused(path):
    """What is missing would be memory that nobody wrote."""
    array = with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (9999,), }", b"12345678")
    forge(path, lambda root, parts: parts.update({"a0.npy": array}))
    data = bytearray(path.read_bytes())
    at = data.rindex(b"a0.npy") - 46  # its record in the directory of the zip
    data[at + 24 : at + 28] = (len(array) + 9998 * 8).to_bytes(4, "little")
    path.write_bytes(data)
    assert "'a0' ends after 8 bytes" in refusal(path)


def test_the_limit_grows_with_the_file():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        file.writestr("noise", bytes(20 * MB))
    archive.Archive(stream).budget.spend(100 * 20 * MB, "an array")
    with pytest.raises(ModelFileError, match="max_bytes"):
        archive.Archive(stream).budget.spend(101 * 20 * MB, "an array")


@pytest.mark.usefixtures("untried")
def test_a_model_that_compresses_well_is_read(path):
    """Constant columns of a forest shrink to a thousandth and more."""

    def change(root, parts):
        parts["a0.npy"] = npy(np.zeros((30 * MB // 8, 1)))

    forge(path, change)
    assert path.stat().st_size < MB // 10
    assert len(gramian.load(path).cluster_centers_) == 30 * MB // 8


def test_a_size_that_is_declared_too_small_is_no_way_around(path):
    """The directory says 1,000 bytes; what is inflated from the entry stops there."""
    forge(path, lambda root, parts: parts.update({"a0.npy": npy(np.zeros(60 * MB // 8))}))
    data = path.read_bytes()
    true = (60 * MB + 128).to_bytes(4, "little")
    assert data.count(true) >= 1
    path.write_bytes(data.replace(true, (1000).to_bytes(4, "little")))
    refusal(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compressions_are_refused(path, method):
    with zipfile.ZipFile(path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    with zipfile.ZipFile(path, "w", method) as file:
        for name, data in parts.items():
            file.writestr(name, data)
    assert "compressed by method" in refusal(path)


# --- forms ------------------------------------------------------------------------------------

DEEP = "(" * 300 + ")" * 300


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4000000000000,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999999999999, 9), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1.5,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1",
        "{'descr': '<f8', 'fortran_order': 2, 'shape': (1,), }",
        "{'descr': '<f99', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<U4', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': " + DEEP + ", }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': " + "-" * 9000 + "1, }",
        "\x00",
        "",
    ],
)
def test_headers_that_numpy_would_not_write_are_refused(path, header):
    forge(path, lambda root, parts: parts.update({"a0.npy": with_header(header, bytes(8))}))
    assert "known form" in refusal(path)


def test_booleans_are_zero_or_one(path):
    header = "{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }"
    forge(path, lambda root, parts: parts.update({"a0.npy": with_header(header, b"\x01\x02")}))
    assert "booleans" in refusal(path)


@pytest.mark.usefixtures("untried")
@pytest.mark.parametrize("dtype", ["<f8", ">f8", "<i4", ">i4", "|u1", "|b1", "<f4", "<f2"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (0, 3), (2, 3), (2, 1, 2)])
@pytest.mark.parametrize("order", "CF")
def test_arrays_come_back_in_the_order_of_this_machine(path, dtype, shape, order):
    rng = np.random.default_rng(0)
    array = np.asarray(rng.integers(0, 2, size=shape)).astype(dtype, order=order)
    forge(path, lambda root, parts: parts.update({"a0.npy": npy(array)}))
    got = gramian.load(path).cluster_centers_
    np.testing.assert_array_equal(got, array)
    assert got.dtype == array.dtype.newbyteorder("=")
    assert got.dtype.isnative
    assert got.flags.aligned
    assert got.flags.writeable


def test_a_deep_manifest_is_refused(path):
    node = []
    for _ in range(archive.DEEPEST):
        node = [node]
    forge(path, lambda root, parts: root["fitted"].update(deep_=node))
    assert "nests deeper" in refusal(path)


def test_a_manifest_in_another_encoding_is_refused(path):
    with zipfile.ZipFile(path) as file:
        text = file.read("manifest.json").decode()
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("manifest.json", text.encode("utf-16-le"))
    assert "not a complete model file" in refusal(path)


def test_brackets_inside_strings_nest_nothing(path):
    texts = ["[{" * 300, '"[' * 300, "\\[" * 300]
    forge(path, lambda root, parts: root["fitted"].update(texts_=texts))
    assert gramian.load(path).texts_ == texts


def test_a_file_beyond_the_limit_is_not_read(path):
    assert "more than 100; if you trust the file, pass a larger" in refusal(path, max_bytes=100)


def test_a_sparse_file_of_a_terabyte_is_refused(tmp_path):
    path = tmp_path / "huge.gram"
    with path.open("wb") as file:
        file.truncate(2**40)
    assert f"the file has {2**40} bytes" in refusal(path)


def test_a_directory_of_a_million_entries_is_not_read(path):
    """Each entry of the directory would become an object of half a kilobyte."""
    data = path.read_bytes()
    at = data.index(b"PK\x01\x02")
    size = data.index(b"PK\x05\x06") - at
    entry = data[at : at + size]
    directory = entry * (2 * MB // size)
    end = bytearray(data[at + size :])
    end[8:12] = b"\xff\xff" * 2
    end[12:16] = len(directory).to_bytes(4, "little")
    path.write_bytes(data[:at] + directory + bytes(end))
    assert "the directory of the zip" in refusal(path, max_bytes=10 * MB)
