"""Ensembles exported to ONNX give the results of `predict` and `predict_proba`."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris

import gramian
from gramian import to_onnx
from gramian.base.errors import DataError
from gramian.objectives import Logistic
from tests.tree.table import real

runtime = pytest.importorskip("onnxruntime", reason="needs the extra onnx and onnxruntime")
pytest.importorskip("onnx", reason="needs the extra onnx")


def answers(model, X, **settings):
    session = runtime.InferenceSession(to_onnx(model, **settings).SerializeToString())
    return session.run(None, {"X": X})


def assert_same_classes(model, X, **settings):
    """Labels may differ only if two classes have equal probabilities to six digits."""
    label, p = answers(model, X, **settings)
    expected = model.predict_proba(X)
    assert_allclose(p, expected, atol=2e-6)
    first, second = np.sort(expected, axis=1)[:, [-1, -2]].T
    clear = first - second > 1e-5
    assert clear.mean() > 0.95
    assert_array_equal(label[clear], model.predict(X)[clear])


CLASSIFIERS = {
    "forest": gramian.RandomForestClassifier(30, random_state=0),
    "extra trees": gramian.ExtraTreesClassifier(30, random_state=0),
    "boosting": gramian.HistGradientBoostingClassifier(max_iter=30),
    "boosting of a learner": gramian.GradientBoostingClassifier(
        n_estimators=15, estimator=gramian.DecisionTreeRegressor(max_depth=3)
    ),
    "AdaBoost": gramian.AdaBoostClassifier(n_estimators=30),
    "AdaBoost of trees": gramian.AdaBoostClassifier(
        gramian.DecisionTreeClassifier(max_depth=3), n_estimators=10
    ),
    "bag": gramian.BaggingClassifier(max_features=0.5, max_samples=0.1, random_state=0),
}


@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("loader", [load_breast_cancer, load_iris])
def test_classes(name, loader):
    X, y = loader(return_X_y=True)
    X = X.astype(np.float32)
    assert_same_classes(clone(CLASSIFIERS[name]).fit(X[::2], y[::2]), X)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["forest", "boosting"])
def test_many_classes_of_real_data(name, data_folder):
    X, y = real(data_folder, "letterrecognition", "lettr")
    model = clone(CLASSIFIERS[name]).fit(X[:3000].astype(np.float32), y[:3000])
    assert_same_classes(model, X[3000:8000].astype(np.float32))


@pytest.mark.parametrize(
    "model",
    [
        gramian.RandomForestRegressor(20, random_state=0),
        gramian.ExtraTreesRegressor(20, random_state=0),
        gramian.HistGradientBoostingRegressor(max_iter=30),
        gramian.HistGradientBoostingRegressor("poisson", max_iter=30),
        gramian.HistGradientBoostingRegressor("absolute_error", max_iter=30),
        gramian.GradientBoostingRegressor(n_estimators=15),
        gramian.GradientBoostingRegressor(
            n_estimators=15, loss="poisson", estimator=gramian.DecisionTreeRegressor(max_depth=3)
        ),
        gramian.BaggingRegressor(max_features=0.5, random_state=0),
    ],
    ids=str,
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_regression(model, dtype):
    X, y = load_diabetes(return_X_y=True)
    X = X.astype(dtype)
    fitted = clone(model).fit(X[::2], y[::2])
    (answer,) = answers(fitted, X, dtype=dtype)
    assert_allclose(answer[:, 0], fitted.predict(X), rtol=5e-6)


@pytest.mark.parametrize("loss", ["exponential", Logistic()], ids=str)
def test_other_losses_for_classes(loss):
    X, y = load_breast_cancer(return_X_y=True)
    X = X.astype(np.float32)
    assert_same_classes(gramian.HistGradientBoostingClassifier(loss, max_iter=20).fit(X, y), X)


@pytest.mark.parametrize("name", ["forest", "boosting"])
def test_categories_and_missing_values(name, rng):
    town = rng.choice(list("ABCDEFG"), 600)
    size = rng.normal(size=600).astype(np.float32)
    size[::7] = np.nan
    y = np.isin(town, ["A", "C", "F"]) ^ (size > 0.5)
    frame = pd.DataFrame({"town": town, "size": size})
    model = clone(CLASSIFIERS[name]).fit(frame, y)
    codes = np.searchsorted(np.unique(town), town)
    rows = np.column_stack([codes, size]).astype(np.float32)
    label, p = answers(model, rows)
    assert_allclose(p, model.predict_proba(frame), atol=2e-6)
    assert_array_equal(label.astype(bool), model.predict(frame))


def test_equal_votes_stay_equal(rng):
    """Fully grown trees have integer votes: ties are broken the same way in ONNX."""
    X, noise = rng.normal(size=(300, 2)).astype(np.float32), rng.integers(3, size=300)
    model = gramian.RandomForestClassifier(10, random_state=0).fit(X, noise)
    new = rng.normal(size=(500, 2)).astype(np.float32)
    votes = np.sort(model.predict_proba(new), axis=1)
    assert (votes[:, -1] == votes[:, -2]).sum() > 20
    assert_array_equal(answers(model, new)[0], model.predict(new))


def test_unsupported_ensembles_are_rejected(rng):
    X, y = load_iris(return_X_y=True)
    bag = gramian.BaggingClassifier(gramian.KNeighborsClassifier(), random_state=0).fit(X, y)
    with pytest.raises(DataError, match="KNeighborsClassifier"):
        to_onnx(bag)
    slanted = gramian.ObliqueTreeClassifier(random_state=0)
    slanted_bag = gramian.BaggingClassifier(slanted, n_estimators=2, random_state=0).fit(X, y)
    with pytest.raises(DataError, match="ObliqueTreeClassifier"):
        to_onnx(slanted_bag)
