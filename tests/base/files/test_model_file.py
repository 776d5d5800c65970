"""Model files hold what they should, refuse what they must, and stay readable."""

import dataclasses
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

import gramian
from gramian.base import catalogue
from gramian.base.errors import ModelFileError
from gramian.base.files.migrations import FORMAT

OLDER = Path(__file__).parent / "older"


@pytest.fixture
def model():
    rng = np.random.default_rng(0)
    return gramian.KMeans(3, n_init=2, random_state=0).fit(rng.normal(size=(50, 2)))


@pytest.fixture
def path(model, tmp_path):
    return gramian.save(model, tmp_path / "model.gram")


def rewrite(path, change):
    """Apply `change` to the manifest of a file."""
    with zipfile.ZipFile(path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    manifest = json.loads(parts["manifest.json"])
    change(manifest, parts)
    parts["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(path, "w") as file:
        for name, data in parts.items():
            file.writestr(name, data)


def test_the_file_holds_json_and_plain_arrays_only(path):
    with zipfile.ZipFile(path) as file:
        names = file.namelist()
        assert names[0] == "manifest.json"
        assert json.loads(file.read("manifest.json"))["format"] == FORMAT
        for name in names[1:]:
            assert (
                np.lib.format.read_array(io.BytesIO(file.read(name)), allow_pickle=False).dtype.kind
                in "biuf"
            )


def test_saving_again_replaces_the_file_and_leaves_nothing_else(model, path):
    gramian.save(model, path)
    assert [p.name for p in path.parent.iterdir()] == ["model.gram"]


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


def test_a_damaged_array_is_refused(path):
    def damage(manifest, parts):
        name = next(n for n in parts if n.endswith(".npy"))
        parts[name] = parts[name][:-1] + bytes([parts[name][-1] ^ 1])

    rewrite(path, damage)
    with pytest.raises(ModelFileError, match="damaged or missing"):
        gramian.load(path)


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 broken"])
def test_what_is_no_model_file_is_refused(tmp_path, content):
    path = tmp_path / "model.gram"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match="not a whole model file"):
        gramian.load(path)


def test_a_cut_off_file_is_refused(path):
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ModelFileError, match="not a whole model file"):
        gramian.load(path)


@pytest.mark.parametrize(
    "name",
    ["os.system", "builtins.eval", "gramian.base.files.model_file.load", "sklearn.cluster.KMeans"],
)
def test_a_class_outside_the_catalogue_is_refused(path, name):
    rewrite(path, lambda manifest, parts: manifest["root"].update(estimator=name))
    with pytest.raises(ModelFileError, match="no estimator of this version"):
        gramian.load(path)


@pytest.mark.parametrize("name", ["fit", "predict", "__class__", "__reduce__", "__init__"])
def test_a_file_cannot_replace_methods(path, name):
    rewrite(path, lambda manifest, parts: manifest["root"]["fitted"].update({name: 1}))
    with pytest.raises(ModelFileError, match="not a fitted attribute"):
        gramian.load(path)


def test_an_unknown_parameter_is_refused(path):
    rewrite(path, lambda manifest, parts: manifest["root"]["params"].update(surprise=1))
    with pytest.raises(ModelFileError, match="surprise"):
        gramian.load(path)


def test_pickled_arrays_are_refused(path):
    stream = io.BytesIO()
    np.save(stream, np.array([{}], dtype=object), allow_pickle=True)

    def smuggle(manifest, parts):
        import hashlib

        parts["a0.npy"] = stream.getvalue()
        manifest["sha256"]["a0"] = hashlib.sha256(stream.getvalue()).hexdigest()

    rewrite(path, smuggle)
    with pytest.raises(ModelFileError, match="known form"):
        gramian.load(path)


def test_what_cannot_be_held_is_an_error_at_save(tmp_path):
    with pytest.raises(ModelFileError, match=r"random_state is a numpy\.random"):
        gramian.save(gramian.KMeans(random_state=np.random.RandomState(0)), tmp_path / "model.gram")
    with pytest.raises(ModelFileError, match=r"Pipeline\.scale is a sklearn"):
        gramian.save(Pipeline([("scale", StandardScaler())]), tmp_path / "model.gram")
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


@pytest.fixture
def packed(model, tmp_path):
    """A file with an array that is large enough to be packed."""
    model.extra_ = np.where(np.arange(900) % 3, np.nan, np.arange(900)).reshape(30, 30)
    return gramian.save(model, tmp_path / "packed.gram")


def test_large_arrays_are_packed_and_come_back(model, packed):
    with zipfile.ZipFile(packed) as file:
        node = json.loads(file.read("manifest.json"))["root"]["fitted"]["extra_"]
    assert node["packed"] == "float64"
    assert gramian.load(packed).extra_.tobytes() == model.extra_.tobytes()


@pytest.mark.parametrize(
    "change",
    [
        {"shape": [10**15]},
        {"shape": [-1]},
        {"shape": "30"},
        {"often": "not hex"},
        {"often": 3},
        {"packed": "object"},
        {"packed": "no type"},
        {"where": "a99"},
        {"planes": "a0"},
    ],
)
def test_tampered_packed_arrays_are_refused(packed, change):
    rewrite(packed, lambda manifest, parts: manifest["root"]["fitted"]["extra_"].update(change))
    with pytest.raises(ModelFileError, match="known form"):
        gramian.load(packed)


def test_no_flipped_bit_is_more_than_a_refusal(path):
    """Whatever a damaged byte does, it is a ModelFileError or harmless."""
    whole = path.read_bytes()
    for at in range(0, len(whole), 7):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        try:
            assert type(gramian.load(path)).__name__ == "KMeans"
        except ModelFileError as error:
            assert "load:" in str(error)  # noqa: PT017


@pytest.mark.parametrize("root", [[1, 2], 3.5, None, {"tuple": []}])
def test_a_root_that_is_no_estimator_is_refused(path, root):
    rewrite(path, lambda manifest, parts: manifest.update(root=root))
    with pytest.raises(ModelFileError):
        gramian.load(path)


def test_a_manifest_without_hashes_is_refused(path):
    rewrite(path, lambda manifest, parts: manifest.pop("sha256"))
    with pytest.raises(ModelFileError, match="known form"):
        gramian.load(path)


@dataclasses.dataclass(frozen=True)
class Pair:
    """A record for the tests below: two numbers in order."""

    low: float
    high: np.ndarray

    def __post_init__(self):
        if not self.low <= self.high.min():
            raise ValueError("low must not exceed high")


@pytest.fixture
def pairs(monkeypatch):
    monkeypatch.setattr(catalogue, "RECORDS", (f"{__name__}.Pair",))


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
    catalogue.RECORDS = ()
    with pytest.raises(ModelFileError, match="does not know"):
        gramian.load(path)
    with pytest.raises(ModelFileError, match="cannot hold"):
        gramian.save(model, path)
