"""Files are there whole or not at all."""

import errno
import os
import resource
from contextlib import suppress

import numpy as np
import pytest

import gramian
from gramian.base.errors import DataError
from gramian.base.files.writing import create_folder, open_for_appending, written_whole


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


def test_a_link_is_replaced_where_links_are_not_followed(tmp_path):
    victim, link = tmp_path / "victim.txt", tmp_path / "link.txt"
    victim.write_bytes(b"mine")
    for target in ("victim.txt", "nowhere.txt", "/dev/null"):
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        with written_whole(link) as file:
            file.write(b"new")
        assert not link.is_symlink()
        assert link.read_bytes() == b"new"
    assert victim.read_bytes() == b"mine"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.txt", "victim.txt"]


def test_the_new_file_is_never_one_that_was_there(tmp_path, monkeypatch):
    victim = tmp_path / "victim.txt"
    victim.write_bytes(b"mine")
    monkeypatch.setattr("secrets.token_hex", lambda n: "guessed")
    (tmp_path / ".guessed.partial").symlink_to(victim)
    with pytest.raises(FileExistsError), written_whole(tmp_path / "a.txt") as file:
        file.write(b"new")
    assert victim.read_bytes() == b"mine"
    assert (tmp_path / ".guessed.partial").is_symlink()


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "free some space"),
        (errno.EACCES, "one of your own folders"),
        (errno.EROFS, "another disk"),
        (errno.ENAMETOOLONG, "shorter name"),
    ],
)
def test_errors_of_the_system_name_the_path_and_what_to_do(tmp_path, number, advice):
    path = tmp_path / "a.txt"
    with pytest.raises(OSError, match=advice) as error, written_whole(path):
        raise OSError(number, os.strerror(number))
    assert error.value.errno == number
    assert error.value.filename == str(path)
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_is_too_long_and_a_folder_that_is_not_there_are_named(tmp_path):
    for path in (tmp_path / ("a" * 300), tmp_path / "none" / "a.txt"):
        with pytest.raises(OSError, match=r"choose|create") as error, written_whole(path) as file:
            file.write(b"new")
        assert error.value.filename == str(path)


def test_errors_of_other_files_keep_their_names(tmp_path):
    with pytest.raises(FileNotFoundError) as error, written_whole(tmp_path / "a.txt"):
        (tmp_path / "other").read_bytes()
    assert error.value.filename == str(tmp_path / "other")


def test_only_a_regular_file_of_its_own_is_appended_to(tmp_path):
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    (tmp_path / "link").symlink_to(victim)
    os.link(victim, tmp_path / "second name")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "second name", "pipe"):
        with pytest.raises(DataError, match="regular file of its own"):
            open_for_appending(tmp_path / name)
    assert victim.read_bytes() == b"mine"
    (tmp_path / "second name").unlink()
    with open_for_appending(victim) as file:
        file.write(b"!")
    assert victim.read_bytes() == b"mine!"


def test_a_folder_behind_a_link_is_refused(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to("elsewhere")
    with pytest.raises(DataError, match="not a link to another one"):
        create_folder(tmp_path / "link")
    assert create_folder(tmp_path / "new").is_dir()
