"""What a file brings is checked before it becomes part of a model."""

import json
import zipfile

import numpy as np
import pytest

import gramian
from gramian.base.errors import ModelFileError
from tests.base.files.forging import forge, npy, refusal, rewrite


@pytest.mark.parametrize(
    "name",
    ["os.system", "builtins.eval", "gramian.base.files.model_file.load", "sklearn.cluster.KMeans"],
)
def test_a_class_outside_the_catalogue_is_refused(path, name):
    rewrite(path, lambda manifest, parts: manifest["root"].update(estimator=name))
    with pytest.raises(ModelFileError, match="not an estimator of this version"):
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


def test_an_array_is_used_once(path):
    forge(path, lambda root, parts: root["fitted"].update(again_={"array": "a0"}))
    assert "known form" in refusal(path)


@pytest.mark.parametrize(
    "node",
    [
        {"scalar": "float64", "value": [1.0, 2.0]},
        {"scalar": "int8", "value": 300},
        {"scalar": "9999999999f8", "value": 1},
        {"strings": ["a"], "shape": [2**62], "dtype": "U"},
        {"dict": [[[], 1]]},
        {"float": "x"},
        {"csr": [], "shape": [1, 1]},
    ],
)
def test_values_out_of_form_are_refused(path, node):
    forge(path, lambda root, parts: root["fitted"].update(value_=node))
    assert "load:" in refusal(path)


@pytest.mark.parametrize(
    ("indices", "indptr"),
    [
        ([0, 4], [0, 1, 2]),
        ([-1, 0], [0, 1, 2]),
        ([0, 1], [0, 2, 1]),
        ([0, 1], [0, 2, 0]),
        ([0, 1], [0, 1, 3]),
        ([0, 1], [1, 1, 2]),
        ([0, 1], [0, 2]),
        ([0], [0, 1, 2]),
    ],
)
def test_a_sparse_matrix_is_checked_in_full(path, indices, indptr):
    def change(root, parts):
        whole = {"d": np.ones(2), "i": np.int32(indices), "p": np.int32(indptr)}
        parts.update({f"{name}.npy": npy(array) for name, array in whole.items()})
        root["fitted"]["table_"] = {"csr": [{"array": n} for n in whole], "shape": [2, 4]}

    forge(path, change)
    assert "known form" in refusal(path)


def test_parameters_of_a_fitted_model_are_checked(path):
    forge(path, lambda root, parts: root["params"].update(n_clusters=-1))
    assert "n_clusters must be" in refusal(path)


def test_a_number_that_sizes_an_answer_is_checked(tmp_path):
    model = gramian.VotedPerceptron().fit([[0.0], [1.0], [9.0]], [0, 1, 2])
    path = gramian.save(model, tmp_path / "model.gram")

    def change(root, parts):
        root["fitted"]["classifier_index_"] = {"array": "forged"}
        parts["forged.npy"] = npy(np.full(len(model.classifier_index_), 2**50))

    forge(path, change)
    assert "classifier_index_ must contain" in refusal(path)
