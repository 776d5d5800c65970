"""What is no regular file, or is too large, is refused before it is read."""

import os
import socket

import pytest

import gramian
from gramian.base.errors import DataError, ModelFileError
from gramian.base.files.reading import open_regular_file, read_own


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/dev/urandom"])
def test_devices_are_refused(path):
    with pytest.raises(ModelFileError, match=f"load: {path}: it must be a regular file; got a dev"):
        gramian.load(path)


def test_pipes_folders_and_sockets_are_refused_at_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    os.mkfifo("pipe")
    (tmp_path / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        for name in ("pipe", "folder", "socket"):
            with pytest.raises(ModelFileError, match=f"regular file; got a {name}"):
                gramian.load(name)


def test_links_to_regular_files_are_followed_and_others_refused(path, tmp_path):
    link = tmp_path / "link.gram"
    link.symlink_to(path)
    assert isinstance(gramian.load(link), gramian.KMeans)
    endless = tmp_path / "endless.gram"
    endless.symlink_to("/dev/zero")
    with pytest.raises(ModelFileError, match="got a device"):
        gramian.load(endless)


def test_what_is_not_there_is_said_as_ever(tmp_path):
    with pytest.raises(FileNotFoundError):
        gramian.load(tmp_path / "none.gram")


def test_files_of_a_run_are_read_within_a_limit_and_not_through_links(tmp_path):
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"12345")
    link.symlink_to(file)
    assert read_own(file) == b"12345"
    with pytest.raises(DataError, match="at most 4 bytes; got 5"):
        read_own(file, 4)
    with pytest.raises(DataError, match="not a link"):
        read_own(link)
    with open_regular_file(link) as stream:
        assert stream.read() == b"12345"
