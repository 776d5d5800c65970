"""Files are there whole or not at all."""

import os
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


def test_a_link_stays_and_its_file_is_replaced(model, tmp_path):
    (tmp_path / "models").mkdir()
    real, link = tmp_path / "models" / "real.gram", tmp_path / "link.gram"
    link.symlink_to("models/real.gram")
    for _ in range(2):  # the link names no file at first
        gramian.save(model, link)
        assert link.is_symlink()
        assert type(gramian.load(real)) is type(model)
    assert [p.name for p in real.parent.iterdir()] == ["real.gram"]


def test_pipes_and_devices_are_refused_and_stay(model, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    link = tmp_path / "null"
    link.symlink_to("/dev/null")
    for path in (pipe, link):
        with pytest.raises(FileExistsError, match="not a regular file: write to a new path"):
            gramian.save(model, path)
    assert pipe.is_fifo()
    assert link.is_char_device()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["null", "pipe"]
