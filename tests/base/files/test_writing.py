"""Files are there whole or not at all."""

import resource
from contextlib import suppress

import numpy as np
import pytest

import gramian
from gramian.base.files.writing import written_whole


def test_saving_again_replaces_the_file_and_leaves_nothing_else(model, path):
    gramian.save(model, path)
    assert [p.name for p in path.parent.iterdir()] == ["model.gram"]


def test_a_full_disk_leaves_the_file_as_it_was(path):
    before = path.read_bytes()
    large = gramian.NearestNeighbors().fit(np.random.default_rng(0).normal(size=(5000, 4)))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            gramian.save(large, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [p.name for p in path.parent.iterdir()] == [path.name]
    assert path.read_bytes() == before


def test_the_file_appears_when_it_is_whole(tmp_path):
    path = tmp_path / "notes.txt"
    with written_whole(path) as file:
        file.write(b"all of it")
        assert not path.exists()
    assert path.read_bytes() == b"all of it"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_interrupted_file_is_as_it_was(tmp_path, error):
    path = tmp_path / "notes.txt"
    path.write_bytes(b"before")
    with suppress(error), written_whole(path) as file:
        file.write(b"half")
        raise error
    assert path.read_bytes() == b"before"
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]
