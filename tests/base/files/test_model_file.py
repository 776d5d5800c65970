"""Model files hold what they should, refuse what they must, and stay readable."""

import hashlib
import io
import json
import zipfile

import numpy as np
import pytest

import gramian
from gramian.base.errors import ModelFileError
from gramian.base.files.model_file import FORMAT
from gramian.distributions import (
    Binomial,
    Categorical,
    Empirical,
    Gaussian,
    Mixture,
    MultivariateGaussian,
    NormalInverseWishart,
)
from tests.base.files.forging import rewrite


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
    with pytest.raises(ModelFileError, match="not a complete model file"):
        gramian.load(path)


def test_a_cut_off_file_is_refused(path):
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ModelFileError, match="not a complete model file"):
        gramian.load(path)


def test_pickled_arrays_are_refused(path):
    stream = io.BytesIO()
    np.save(stream, np.array([{}], dtype=object), allow_pickle=True)

    def smuggle(manifest, parts):

        parts["a0.npy"] = stream.getvalue()
        manifest["sha256"]["a0"] = hashlib.sha256(stream.getvalue()).hexdigest()

    rewrite(path, smuggle)
    with pytest.raises(ModelFileError, match="known form"):
        gramian.load(path)


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


@pytest.mark.parametrize("limit", [-1, 1.5, "1 GB", True])
def test_a_limit_is_a_number_of_bytes(path, limit):
    with pytest.raises(ValueError, match="max_bytes must be"):
        gramian.load(path, max_bytes=limit)


@pytest.mark.parametrize(
    "distribution",
    [
        Gaussian(1.0, 2.0),
        Binomial(7, 0.25),
        Categorical([0.2, 0.8]),
        Empirical([1.0, 2.0, 5.0]),
        MultivariateGaussian([0.0, 1.0], np.eye(2)),
        Mixture([0.5, 0.5], [Gaussian(), Gaussian(3.0)]),
        NormalInverseWishart([0.0, 0.0], 1.0, 5.0, np.eye(2)),
    ],
    ids=lambda d: type(d).__name__,
)
def test_a_distribution_is_read_back(tmp_path, distribution):
    assert gramian.load(gramian.save(distribution, tmp_path / "d.gram")) == distribution


def test_a_forged_distribution_meets_its_own_checks(tmp_path):
    path = gramian.save(Gaussian(1.0, 2.0), tmp_path / "d.gram")
    rewrite(path, lambda manifest, _: manifest["root"]["fields"].update(variance=-1.0))
    with pytest.raises(ModelFileError, match="variance"):
        gramian.load(path)
