"""Files of older formats are read, those of later ones refused."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

import gramian
from gramian.base.errors import ModelFileError
from gramian.base.files.migrations import FORMAT
from tests.base.files.forging import rewrite

OLDER = Path(__file__).parent / "older"


@pytest.mark.parametrize("old", sorted(OLDER.glob("*.gram")), ids=lambda p: p.stem)
def test_files_of_older_formats_are_still_read(old):
    """Each was written by the version that introduced the next format, with what it predicted."""
    stored = json.loads(old.with_suffix(".json").read_text())
    model = gramian.load(old)
    assert type(model).__name__ == stored["class"]
    np.testing.assert_array_equal(model.predict(stored["X"]), stored["predict"])
    assert model.get_params()["n_clusters"] == stored["n_clusters"]


def test_there_is_an_older_file_for_every_older_format():
    formats = set()
    for old in OLDER.glob("*.gram"):
        with zipfile.ZipFile(old) as file:
            formats.add(json.loads(file.read("manifest.json"))["format"])
    assert formats == set(range(1, FORMAT))


def test_a_newer_format_is_refused(path):
    rewrite(path, lambda manifest, parts: manifest.update(format=99))
    with pytest.raises(ModelFileError, match=r"format 99 .* Update gramian"):
        gramian.load(path)
