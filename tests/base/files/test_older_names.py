"""Models of format 3, one for every class and setting of its time, still predict the same.

The files were written by the last version with the old addresses of the classes.
"""

import csv
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

import gramian
from gramian.base.catalogue import RECORDS, resolve
from gramian.base.files.migrations import FORMAT
from gramian.base.files.older_names import (
    CLASSES,
    CLASSES_UNTIL_6,
    FIELDS,
    with_current_names,
)
from tests.cli.command import call
from tests.contract.estimators import outputs

FILES = sorted((Path(__file__).parent / "older" / "format3").glob("*.gram"))


@pytest.fixture(scope="module")
def stored():
    with np.load(FILES[0].with_name("predictions.npz")) as file:
        return dict(file)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_older_model_predicts_the_same(path, stored):
    model = gramian.load(path)
    name = path.stem.partition("-")[0]
    renamed = {k.rpartition(".")[2]: v.rpartition(".")[2] for k, v in CLASSES_UNTIL_6.items()}
    assert type(model).__name__ == renamed.get(name, name)
    said = outputs(model, stored[f"{path.stem}/X"])
    promised = {k.partition("/")[2]: v for k, v in stored.items() if k.startswith(f"{path.stem}/")}
    for name, value in promised.items():
        if name == "X":
            continue
        if value.dtype.kind in "fc":
            np.testing.assert_allclose(said[name], value, rtol=1e-6, atol=1e-9, err_msg=name)
        else:
            np.testing.assert_array_equal(np.asarray(said[name]), value, err_msg=name)
    assert len(promised) > 1


@pytest.mark.parametrize("name", ["GradientBoostingClassifier", "GradientBoostingRegressor"])
def test_boosting_in_function_space_kept_its_files_but_not_its_name(name):
    folder = FILES[0].parents[1] / "format6"
    stored = json.loads((folder / "predictions.json").read_text())
    model = gramian.load(folder / f"{name}.gram")
    assert type(model).__name__ == f"Functional{name}"
    predict = model.predict_proba if hasattr(model, "predict_proba") else model.predict
    np.testing.assert_allclose(predict(stored["X"]), stored[name], rtol=1e-6)


def test_an_older_model_is_saved_in_the_format_of_today(tmp_path):
    for path in FILES[:3]:
        again = gramian.save(gramian.load(path), tmp_path / path.name)
        with zipfile.ZipFile(again) as file:
            assert json.loads(file.read("manifest.json"))["format"] == FORMAT


def test_the_model_of_an_older_run_predicts_the_same(capsys):
    run = FILES[0].parents[1] / "run3"
    done = call(capsys, "predict", str(run / "model.gram"), str(run / "rows.csv"), "--out", "-")
    assert done.code == 0, done.err
    told, stored = (list(csv.reader(text.split("\n"))) for text in (done.out, promise(run)))
    assert told[0] == stored[0]
    assert [row[0] for row in told if row] == [row[0] for row in stored if row]
    numbers = [[float(v) for v in row[1:]] for row in told[1:] if row]
    np.testing.assert_allclose(numbers, [[float(v) for v in r[1:]] for r in stored[1:] if r], 1e-6)


def promise(run):
    return (run / "predictions.csv").read_text()


def test_every_class_whose_address_changed_is_in_an_older_file():
    stored = {path.stem.partition("-")[0] for path in FILES}
    changed = {path.rpartition(".")[2] for path in CLASSES.values()}
    assert changed - {path.rpartition(".")[2] for path in RECORDS} <= stored
    assert len(stored) >= 67


def test_every_record_is_in_an_older_file():
    """The classes that a model holds have old names too, but for those that are new."""
    new = {"ConstantLabel", "InitialModel"}  # came with format 5, with format 7
    later = ("gramian.kernels.", "gramian.multi", "gramian.neural_network.")
    new |= {r.rpartition(".")[2] for r in RECORDS if r.startswith(later)}
    found = set()
    for path in FILES:
        with zipfile.ZipFile(path) as file:
            text = file.read("manifest.json").decode()
        found |= {r.rpartition(".")[2] for r in RECORDS if f'.{r.rpartition(".")[2]}"' in text}
    assert found == {r.rpartition(".")[2] for r in RECORDS} - new


def test_names_are_translated_wherever_a_class_is_held():
    inner = {"record": "gramian.trees.Tree", "fields": {"left": {"array": "a0"}}}
    held = {"penalise_intercept": True, "alpha": 2.0}
    outer = {
        "estimator": "gramian.ensembles.CascadeClassifier",
        "params": {
            "estimator": {"estimator": "gramian.linear.Ridge", "params": held, "fitted": {}}
        },
        "fitted": {"training_shares_": [inner], "classes_": {"array": "a1"}},
    }
    node = with_current_names([outer, 3])
    assert node[1] == 3
    assert node[0]["estimator"] == "gramian.ensemble.CascadeClassifier"
    ridge = node[0]["params"]["estimator"]
    assert ridge["estimator"] == "gramian.linear_model.Ridge"
    assert ridge["params"] == {"penalize_intercept": True, "alpha": 2.0}
    (held,) = node[0]["fitted"]["training_proportions_"]
    assert held == {"record": "gramian.tree.Tree", "fields": {"left": {"array": "a0"}}}
    assert node[0]["fitted"]["classes_"] == {"array": "a1"}


def test_kinds_of_columns_are_translated_but_no_names_of_columns():
    node = {
        "estimator": "gramian.data.TablePreparer",
        "params": {"kinds": {"dict": [["number", "category"], ["b", "date"]]}, "scale": True},
        "fitted": {"kinds_": {"dict": [["category", "number"]]}},
    }
    found = with_current_names(node)
    assert found["params"]["kinds"] == {"dict": [["number", "categorical"], ["b", "date"]]}
    assert found["fitted"]["kinds_"] == {"dict": [["category", "numeric"]]}
    assert found["params"]["scale"] is True


def test_old_names_lead_to_classes_of_today():
    assert not CLASSES.keys() & set(CLASSES.values())
    for path in {*CLASSES.values(), *FIELDS}:
        assert resolve(path).__name__ == path.rpartition(".")[2]
