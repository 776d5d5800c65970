"""What a model file can hold comes back with its type; anything else is refused at save."""

import dataclasses
import zipfile
from typing import ClassVar

import numpy as np
import pytest
from sklearn.decomposition import TruncatedSVD
from sklearn.pipeline import Pipeline

import gramian
from gramian.base import catalogue
from gramian.base.errors import ModelFileError
from tests.base.files.forging import rewrite


def test_what_cannot_be_held_is_an_error_at_save(tmp_path):
    with pytest.raises(ModelFileError, match=r"random_state is a numpy\.random"):
        gramian.save(gramian.KMeans(random_state=np.random.RandomState(0)), tmp_path / "model.gram")
    with pytest.raises(ModelFileError, match=r"Pipeline\.reduce is a sklearn"):
        gramian.save(Pipeline([("reduce", TruncatedSVD())]), tmp_path / "model.gram")
    with pytest.raises(ModelFileError, match="must be an estimator"):
        gramian.save({"a": 1}, tmp_path / "model.gram")
    assert list(tmp_path.iterdir()) == []


def test_plain_values_survive_with_their_types(model, tmp_path):
    model.extra_ = {
        "none": None,
        "flags": [True, False],
        1: (2, 3.5, "four"),
        "odd": [float("nan"), float("inf"), -float("inf")],
        "numpy": np.float32(1.5),
        "text": np.array(["a", "bc"]),
        "objects": np.array(["a", "bc"], dtype=object),
        "bits": np.array([[True], [False]]),
        "empty": np.empty((0, 3), dtype=np.float32),
        "point": np.array(2.0),
        "big": 2**70,
    }
    got = gramian.load(gramian.save(model, tmp_path / "model.gram")).extra_
    assert got.keys() == model.extra_.keys()
    assert got["flags"] == [True, False]
    assert got[1] == (2, 3.5, "four")
    assert str(got["odd"]) == "[nan, inf, -inf]"
    assert type(got["numpy"]) is np.float32
    assert got["big"] == 2**70
    for name in ("text", "objects", "bits", "empty", "point"):
        assert got[name].dtype == model.extra_[name].dtype
        assert got[name].shape == model.extra_[name].shape
        np.testing.assert_array_equal(got[name], model.extra_[name])


@dataclasses.dataclass(frozen=True)
class Pair:
    """A record for the tests below: two numbers in order."""

    low: float
    high: np.ndarray

    record_name: ClassVar[str] = "pair"

    def __post_init__(self):
        if not self.low <= self.high.min():
            raise ValueError("low must not exceed high")


@pytest.fixture
def pairs(monkeypatch):
    monkeypatch.setattr(catalogue, "RECORDS", {"pair": f"{__name__}.Pair"})


def test_records_of_the_catalogue_are_stored_by_their_fields(model, tmp_path, pairs):
    model.pairs_ = [Pair(1.0, np.array([2.0, 3.0]))]
    copy = gramian.load(gramian.save(model, tmp_path / "pair.gram"))
    assert copy.pairs_[0].low == 1.0
    assert copy.pairs_[0].high.tolist() == [2.0, 3.0]


def test_a_record_that_its_constructor_refuses_is_not_loaded(model, tmp_path, pairs):
    model.pair_ = Pair(1.0, np.array([2.0]))
    path = gramian.save(model, tmp_path / "pair.gram")

    def tamper(manifest, parts):
        manifest["root"]["fitted"]["pair_"]["fields"]["low"] = 9.0

    rewrite(path, tamper)
    with pytest.raises(ModelFileError, match="low must not exceed high"):
        gramian.load(path)


def test_unknown_records_are_refused(model, tmp_path, pairs):
    model.pair_ = Pair(1.0, np.array([2.0]))
    path = gramian.save(model, tmp_path / "pair.gram")
    catalogue.RECORDS = {}
    with pytest.raises(ModelFileError, match="does not know"):
        gramian.load(path)
    with pytest.raises(ModelFileError, match="cannot store"):
        gramian.save(model, path)


def test_files_name_records_by_names_of_their_own_and_never_by_a_module(model, tmp_path):
    """Classes may move; the names of a file stay."""
    for name, path in catalogue.RECORDS.items():
        assert catalogue.resolve(path).record_name == name
    boosted = gramian.HistGradientBoostingRegressor(max_iter=2).fit(np.eye(40), np.arange(40.0))
    for fitted in (model, boosted):
        path = gramian.save(fitted, tmp_path / "model.gram")
        with zipfile.ZipFile(path) as file:
            text = file.read("manifest.json").decode()
        assert "gramian." not in text
        assert f'"estimator": "{type(fitted).__name__}"' in text
    assert '"record": "boosted_trees"' in text
