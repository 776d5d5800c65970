"""What each kind of estimator promises beyond the common contract."""

import inspect
import typing
from dataclasses import fields
from typing import Self

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.utils import get_tags

import gramian
from gramian.base.catalogue import ESTIMATORS
from gramian.base.errors import ModelFileError
from gramian.base.kinds import Classifier, Estimator
from gramian.base.types import Table
from gramian.neural_network.autoencoder.autoencoder_base import AutoencoderBase
from tests.contract.estimators import ALL, first_of_each, table
from tests.contract.kinds import Axes, Chains, Discriminant, Wrapped
from tests.contract.settings import examples

TYPES = {
    "classifier": "classifier",
    "regressor": "regressor",
    "clusterer": "clusterer",
    "density": "density_estimator",
    "outlier": "outlier_detector",
}


@pytest.mark.parametrize("entry", ALL, ids=lambda e: e.name)
def test_the_kind_is_the_one_that_scikit_learn_sees(entry):
    tags = get_tags(examples(entry)[0])
    assert tags.estimator_type == TYPES.get(entry.kind)
    assert entry.kind != "transformer" or tags.transformer_tags is not None
    assert entry.kind != "neighbors" or hasattr(entry.resolve(), "kneighbors")


@pytest.mark.parametrize("entry", ALL, ids=lambda e: e.name)
def test_each_estimator_or_its_family_declares_whether_it_is_parametric(entry):
    cls = entry.resolve()
    assert not hasattr(Estimator, "parametric")
    assert hasattr(cls, "parametric"), "declare it in the class or in the base of its family"
    wraps = {"estimator", "estimators"} & {field.name for field in fields(cls)}
    assert cls.parametric is not None or wraps, "its members decide, and it has none"


@pytest.mark.parametrize("entry", [e for e in ALL if e.kind == "classifier"], ids=lambda e: e.name)
def test_each_classifier_or_its_family_declares_how_it_is_built(entry):
    cls = entry.resolve()
    assert not hasattr(Classifier, "model_family")
    assert hasattr(cls, "model_family"), "declare it in the class or in the base of its family"
    assert cls.model_family in ("generative", "discriminative", "boundary", None)
    wraps = {"estimator", "estimators"} & {field.name for field in fields(cls)}
    assert cls.model_family is not None or wraps, "its members decide, and it has none"


@pytest.mark.parametrize("entry", ALL, ids=lambda e: e.name)
def test_fit_returns_self(entry):
    fits = ("fit", "partial_fit", "fit_chunks", "solve")
    for name in (name for name in fits if hasattr(entry.resolve(), name)):
        method = inspect.unwrap(getattr(entry.resolve(), name))
        assert typing.get_type_hints(method)["return"] is Self, name
    model = clone(examples(entry)[0])
    assert model.fit(*table(model)) is model


@pytest.mark.parametrize("entry", ESTIMATORS, ids=lambda e: e.name)
def test_the_type_of_X_is_a_table_dense_or_sparse(entry):
    asked = 0
    for name, method in inspect.getmembers(entry.resolve(), inspect.isfunction):
        method = inspect.unwrap(method)
        if name.startswith("_") or not method.__module__.startswith("gramian"):
            continue
        hints = typing.get_type_hints(method)
        if "X" in hints:
            asked += 1
            assert hints["X"] in (Table, Table | None), name
    assert asked > 0


def of_kind(kind: str) -> list:
    names = {e.name for e in ALL if e.kind == kind}
    return [m for m in first_of_each() if m.id in names]


@pytest.mark.parametrize("model", of_kind("clusterer"))
def test_a_clusterer_labels_its_rows(model):
    X, _ = table(model)
    model = clone(model)
    labels = model.fit_predict(X)
    np.testing.assert_array_equal(labels, model.labels_)
    assert labels.shape == (len(X),)
    assert labels.dtype.kind == "i"
    if hasattr(model, "predict"):
        np.testing.assert_array_equal(model.predict(X), labels)


@pytest.mark.parametrize("model", of_kind("density"))
def test_a_density_has_a_logarithm_at_every_row(model):
    """Mixtures and covariances score by the mean as scikit-learn's do; others by the sum."""
    X, _ = table(model)
    model = clone(model).fit(X)
    logs = model.score_samples(X)
    assert logs.shape == (len(X),)
    mixture = hasattr(model, "predict")
    by_mean = mixture or hasattr(model, "mahalanobis")
    assert model.score(X) == pytest.approx(logs.mean() if by_mean else logs.sum())
    if mixture:
        np.testing.assert_array_equal(model.predict(X), model.predict_proba(X).argmax(axis=1))


@pytest.mark.parametrize("model", of_kind("outlier"))
def test_an_outlier_detector_predicts_the_sign_of_its_decision(model):
    X, _ = table(model)
    model = clone(model).fit(X)
    far = np.vstack([X, 1e3 + X[:1]])
    signs = np.where(model.decision_function(far) < 0, -1, 1)
    np.testing.assert_array_equal(model.predict(far), signs)
    np.testing.assert_array_equal(clone(model).fit_predict(X), model.predict(X))
    assert model.predict(far)[-1] == -1


@pytest.mark.parametrize(
    "model", [m for m in first_of_each() if hasattr(m.values[0], "inverse_transform")]
)
def test_an_inverse_transform_gives_back_rows_of_the_first_space(model):
    X, y = table(model)
    model = clone(model).fit(X, y)
    back = model.inverse_transform(model.transform(X))
    assert back.shape == X.shape
    if not isinstance(model, AutoencoderBase):  # whose codes are no projections
        np.testing.assert_allclose(model.transform(back), model.transform(X), atol=1e-8)


def test_all_axes_lose_nothing():
    X, y = table(Axes())
    model = Axes().fit(X, y)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X)


def test_an_estimator_may_classify_and_transform():
    X, y = table(Discriminant())
    model = Discriminant().set_output(transform="pandas").fit(X, y)
    assert model.score(X, y) > 0.9
    assert list(model.transform(X).columns) == ["discriminant0", "discriminant1"]
    tags = get_tags(model)
    assert tags.classifier_tags is not None
    assert tags.transformer_tags.preserves_dtype == ["float64", "float32"]


def test_a_clusterer_need_not_predict():
    assert not hasattr(Chains(), "predict")


def test_named_arrays_and_what_is_made_of_them_survive_a_file(tmp_path):
    X, y = table(Wrapped())
    model = Wrapped().fit(X, y)
    copy = gramian.load(gramian.save(model, tmp_path / "model.gram"))
    assert copy.state_.keys() == model.state_.keys()
    assert copy._layer is not model._layer
    np.testing.assert_array_equal(copy._layer.weight, model._layer.weight)
    np.testing.assert_array_equal(copy.predict(X), model.predict(X))


def test_what_is_rebuilt_is_checked_first(tmp_path):
    X, y = table(Wrapped())
    model = Wrapped().fit(X, y)
    model.state_["layer.weight"] = np.zeros(2)
    with pytest.raises(ModelFileError, match="a weight for each column"):
        gramian.load(gramian.save(model, tmp_path / "model.gram"))


def label_sets(y):
    return {
        "matrix": y,
        "bool": y.astype(bool),
        "csr": sp.csr_array(y),
        "sets": [set(np.flatnonzero(row).tolist()) for row in y],
        "lists": [np.flatnonzero(row).tolist() for row in y],
    }


@pytest.mark.parametrize("value", label_sets(np.eye(2)))
def test_label_sets_come_as_a_matrix_sparse_or_as_sets(value):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    y = (X[:, :3] + rng.normal(size=(60, 3)) > 0).astype(int)
    model = gramian.RidgeClassifier().fit(X, label_sets(y)[value])
    expected = gramian.RidgeClassifier().fit(X, y)
    np.testing.assert_array_equal(model.coef_, expected.coef_)
    np.testing.assert_array_equal(model.predict(X), expected.predict(X))
    assert model.classes_.tolist() == [0, 1, 2]
