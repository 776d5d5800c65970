"""Sparse matrices and frames with categorical columns reach the members that support them."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone, is_classifier
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils import get_tags

import gramian
from gramian import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    CascadeClassifier,
    DecisionTreeClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    KNeighborsClassifier,
    LogisticRegression,
    ObliqueTreeClassifier,
    ObliqueTreeRegressor,
    Ridge,
    VotingClassifier,
    VotingRegressor,
)
from gramian.base.errors import DataError

polars = pytest.importorskip("polars")


def ensembles(classifier, regressor):
    """Every ensemble of any base, with these learners."""
    named = [("a", classifier), ("b", clone(classifier))]
    numbers = [("a", regressor), ("b", clone(regressor))]
    few = {"n_estimators": 3, "random_state": 0}
    return [
        BaggingClassifier(classifier, **few),
        BaggingClassifier(classifier, oob_score=True, n_estimators=30, random_state=0),
        BaggingClassifier(classifier, max_features=0.7, bootstrap=False, **few),
        BaggingRegressor(regressor, max_features=2, **few),
        VotingClassifier(named),
        VotingClassifier(named, voting="soft"),
        VotingClassifier(named, voting="bayes", cv=3),
        VotingRegressor(numbers),
        VotingRegressor(numbers, combine="bayes", cv=3),
        CascadeClassifier(named),
        CascadeClassifier(named, train_on="unsure", threshold=0.99),
        AdaBoostClassifier(classifier, **few),
        AdaBoostClassifier(classifier, sampling="draw", **few),
        AdaBoostRegressor(regressor, **few),
        GradientBoostingClassifier(estimator=regressor, subsample=0.8, **few),
        GradientBoostingRegressor(estimator=regressor, **few),
    ]


def ids(models):
    return [f"{type(m).__name__}-{i}" for i, m in enumerate(models)]


def answers(model, X):
    names = ("predict", "predict_proba", "decision_function", "transform", "stage")
    return {name: getattr(model, name)(X) for name in names if hasattr(model, name)}


SPARSE = ensembles(LogisticRegression(C=0.1), Ridge())


@pytest.mark.filterwarnings("ignore:When fitting BaggingClassifier")  # without bootstrap
@pytest.mark.parametrize("model", SPARSE, ids=ids(SPARSE))
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sparse_and_dense_rows_give_the_same_predictions(rng, model, dtype):
    X = (rng.normal(size=(120, 6)) * (rng.random((120, 6)) < 0.4)).astype(dtype)
    y = X[:, 0] - X[:, 1] + 0.5 * rng.normal(size=120)
    y = np.digitize(y, [-0.5, 0.5]) if is_classifier(model) else y
    weights = rng.integers(0, 3, 120)
    dense = clone(model).fit(X, y, sample_weight=weights)
    thin = clone(model).fit(sp.csr_array(X), y, sample_weight=weights)
    assert get_tags(model).input_tags.sparse
    expected, found = answers(dense, X), answers(thin, sp.csr_array(X))
    for name, value in expected.items():
        if value.dtype.kind == "f":
            tight = 1e-6 if dtype == np.float64 else 1e-2
            np.testing.assert_allclose(found[name], value, rtol=tight, atol=tight)
            assert found[name].dtype == value.dtype
        else:
            assert np.mean(found[name] == value) > 0.95


DENSE = ensembles(ObliqueTreeClassifier(max_depth=2), ObliqueTreeRegressor(max_depth=2))


@pytest.mark.parametrize("model", DENSE, ids=ids(DENSE))
def test_sparse_rows_are_rejected_if_a_member_does_not_support_them(model):
    y = np.arange(8) % 2
    words = rf"{type(model).__name__}: X is sparse, but ObliqueTree\w+ supports dense rows only"
    with pytest.raises(TypeError, match=words):
        clone(model).fit(sp.csr_array(np.eye(8)), y)
    assert not get_tags(model).input_tags.sparse


def coloured(rng, n=90):
    """A table whose target depends on the colours only."""
    colour = rng.choice(["blue", "green", "red"], n)
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=n),
            "colour": pd.Categorical(colour),
            "shape": rng.choice(["round", "flat"], n),
        }
    )
    return frame, colour


@pytest.mark.slow
@pytest.mark.parametrize("model", DENSE, ids=ids(DENSE))
@pytest.mark.parametrize("kind", ["pandas", "polars", "objects"])
def test_categorical_columns_reach_the_trees(rng, model, kind):
    frame, colour = coloured(rng)
    convert = {
        "pandas": lambda f: f,
        "polars": lambda f: polars.from_pandas(f.assign(colour=f["colour"].astype(str))),
        "objects": lambda f: f.to_numpy(dtype=object),
    }[kind]
    y = colour == "red" if is_classifier(model) else 1.0 * (colour == "red")
    X = convert(frame)
    whole = getattr(model, "max_features", 1.0) == 1.0
    fitted = clone(model).set_params(n_estimators=20) if not whole else clone(model)
    fitted.fit(X, y)
    assert get_tags(model).input_tags.categorical
    assert fitted.n_features_in_ == 3
    if kind != "objects":
        assert fitted.feature_names_in_.tolist() == ["size", "colour", "shape"]
    for value in answers(fitted, X).values():
        assert value.shape[0] == len(y)
    if whole:
        assert fitted.score(X, y) > 0.4
    words = "feature names should match" if kind != "objects" else "expecting 3 features"
    for other in (["shape", "colour", "size"], ["colour"]):
        if kind != "objects" or len(other) < 3:
            with pytest.raises(DataError, match=words):
                fitted.predict(convert(frame[other]))


@pytest.mark.parametrize(
    "model",
    [
        BaggingClassifier(KNeighborsClassifier(1)),
        VotingClassifier([("tree", DecisionTreeClassifier()), ("near", KNeighborsClassifier(1))]),
        CascadeClassifier([("near", KNeighborsClassifier(1))]),
        AdaBoostClassifier(),
        AdaBoostClassifier(KNeighborsClassifier(1), sampling="draw"),
        GradientBoostingClassifier(estimator=Ridge()),
    ],
    ids=lambda m: type(m).__name__,
)
def test_a_member_without_categorical_support_raises(rng, model):
    frame, colour = coloured(rng)
    with pytest.raises(
        DataError, match=rf"{type(model).__name__}: fitting the member .* failed: .*text"
    ):
        clone(model).fit(frame, colour)
    assert not get_tags(model).input_tags.categorical


@pytest.mark.parametrize(
    "ensemble",
    [
        lambda learner: BaggingClassifier(learner, n_estimators=5, random_state=0),
        lambda learner: VotingClassifier([("one", learner)]),
        lambda learner: CascadeClassifier([("one", learner)]),
        lambda learner: AdaBoostClassifier(learner, n_estimators=3, sampling="draw"),
    ],
)
def test_a_pipeline_may_encode_categories_itself(rng, ensemble):
    frame, colour = coloured(rng)
    encode = make_column_transformer((OneHotEncoder(), ["colour", "shape"]))
    model = ensemble(make_pipeline(encode, LogisticRegression())).fit(frame, colour)
    assert model.score(frame, colour) == 1


def test_a_saved_ensemble_of_trees_keeps_its_categories(rng, tmp_path):
    frame, colour = coloured(rng)
    model = BaggingClassifier(n_estimators=3, random_state=0).fit(frame, colour)
    copy = gramian.load(gramian.save(model, tmp_path / "bagging.gram"))
    np.testing.assert_array_equal(copy.predict_proba(frame), model.predict_proba(frame))


def test_members_predict_on_the_columns_they_were_fitted_on():
    X = np.random.default_rng(0).standard_normal((200, 3))
    y = X[:, 2] > 0
    for seed in range(6):
        model = BaggingClassifier(n_estimators=1, bootstrap_features=True, random_state=seed)
        model.fit(X, y)
        drawn = model.estimators_features_[0]
        own = model.estimators_[0].predict(X[:, drawn])
        np.testing.assert_array_equal(model.predict(X), model.classes_[own.astype(int)])
        assert (model.score(X, y) > 0.9) == (2 in drawn)


def test_stumps_parse_numeric_text_and_reject_categories():
    X = np.random.default_rng(0).standard_normal((60, 2)).round(3)
    y = X[:, 0] > 0
    text = X.astype(str).astype(object)
    model = AdaBoostClassifier(n_estimators=3).fit(text, y)
    np.testing.assert_array_equal(model.predict(text), model.predict(X))
    frame = pd.DataFrame(X, columns=["a", "b"])
    model = AdaBoostClassifier(n_estimators=3).fit(frame, y)
    with pytest.raises(DataError):
        model.predict(frame.assign(b="name"))


def test_duplicate_column_names_are_rejected():
    frame = pd.DataFrame([["u", 1.0], ["v", 2.0]] * 5, columns=["a", "a"])
    with pytest.raises(DataError, match="BaggingClassifier"):
        BaggingClassifier().fit(frame, [0, 1] * 5)
