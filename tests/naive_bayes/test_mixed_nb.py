"""Naive Bayes with a distribution per column."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.preprocessing import OrdinalEncoder

import gramian
from gramian import BernoulliNB, CategoricalNB, GaussianNB, MixedNB, PoissonNB
from gramian.base.errors import DataError, ParameterError
from tests.naive_bayes.real import categories, table

IRIS = load_iris(return_X_y=True)
RNG = np.random.default_rng(0)
Y = np.arange(90) % 3
COUNTS = RNG.poisson(1 + Y[:, None], size=(90, 3)).astype(float)


@pytest.mark.parametrize(
    ("name", "peer", "X"),
    [
        ("gaussian", GaussianNB, IRIS[0][:90]),
        ("poisson", PoissonNB, COUNTS),
        ("bernoulli", BernoulliNB, (COUNTS > 1).astype(float)),
        ("categorical", CategoricalNB, COUNTS),
    ],
)
def test_one_distribution_for_all_columns_is_the_estimator_of_that_name(name, peer, X):
    ours, theirs = MixedNB(name).fit(X, Y), peer().fit(X, Y)
    assert_allclose(ours.predict_log_proba(X), theirs.predict_log_proba(X), atol=1e-8)


def test_columns_may_be_mixed_freely():
    X = np.column_stack([IRIS[0][:90, 0], COUNTS[:, 0], COUNTS[:, 1] > 1, IRIS[0][:90, 2]])
    by_list = MixedNB(["gaussian", "poisson", "bernoulli", "kernel"]).fit(X, Y)
    by_dict = MixedNB({1: "poisson", 2: "bernoulli", 3: "kernel"}).fit(X, Y)
    assert by_list.distributions_ == by_dict.distributions_
    assert_array_equal(by_list.predict_proba(X), by_dict.predict_proba(X))
    frame = pd.DataFrame(X, columns=list("abcd"))
    named = MixedNB({"b": "poisson", "c": "bernoulli", "d": "kernel"}).fit(frame, Y)
    assert_array_equal(named.predict_proba(frame), by_list.predict_proba(X))
    joint = by_list.predict_joint_log_proba(X)
    each = [MixedNB([kind]).fit(X[:, [j]], Y) for j, kind in enumerate(by_list.distributions_)]
    apart = [m.predict_joint_log_proba(X[:, [j]]) for j, m in enumerate(each)]
    assert_allclose(joint, sum(apart) - 3 * np.log(by_list.class_prior_), atol=1e-6)


def test_soybean_with_its_categories_and_missing_values(data_folder):
    X, y = categories(data_folder, "soybean")
    assert X.isna().any().any()
    model = MixedNB().fit(X, y)
    assert set(model.distributions_) == {"categorical"}
    assert np.mean(model.predict(X) == y) > 0.9
    whole = X.dropna()
    codes = OrdinalEncoder().fit_transform(whole)
    complete, theirs = MixedNB().fit(whole.astype(str), y[whole.index]), CategoricalNB()
    theirs.fit(codes, y[whole.index])
    assert_allclose(
        complete.predict_log_proba(whole.astype(str)), theirs.predict_log_proba(codes), atol=1e-9
    )


def test_a_missing_value_is_integrated_out():
    X = IRIS[0].copy()
    model = MixedNB().fit(*IRIS)
    X[:, 1] = np.nan
    fewer = GaussianNB(var_smoothing=0.0).fit(np.delete(IRIS[0], 1, axis=1), IRIS[1])
    assert_allclose(
        MixedNB(var_smoothing=0.0).fit(*IRIS).predict_log_proba(X),
        fewer.predict_log_proba(np.delete(IRIS[0], 1, axis=1)),
        atol=1e-8,
    )
    default = np.full((1, 4), np.nan)
    assert_allclose(model.predict_proba(default)[0], model.class_prior_)


def test_a_column_without_values_has_no_effect():
    X = np.column_stack([IRIS[0], np.full(150, np.nan)])
    model = MixedNB().fit(X, IRIS[1])
    assert model.columns_[4] is None
    assert_allclose(model.predict_proba(X), MixedNB().fit(*IRIS).predict_proba(IRIS[0]))


@pytest.mark.parametrize("name", ["kernel", "histogram"])
def test_shapes_that_are_not_normal_are_learned(name, data_folder):
    X, y = table(data_folder, "letterrecognition")
    X, y = X[:3000], y[:3000]
    plain = np.mean(GaussianNB().fit(X[:2000], y[:2000]).predict(X[2000:]) == y[2000:])
    better = MixedNB(name, bins=16).fit(X[:2000], y[:2000])
    assert np.mean(better.predict(X[2000:]) == y[2000:]) > plain


@pytest.mark.parametrize("distributions", ["auto", "kernel", "histogram"])
def test_model_files_keep_all_columns(distributions, tmp_path):
    model = MixedNB(distributions).fit(*IRIS)
    copy = gramian.load(gramian.save(model, tmp_path / "m.gram"))
    assert_array_equal(copy.predict_proba(IRIS[0]), model.predict_proba(IRIS[0]))


def test_bad_settings_are_refused():
    X, y = IRIS
    with pytest.raises(ParameterError, match="one name for each of the 4 columns"):
        MixedNB(["gaussian"]).fit(X, y)
    with pytest.raises(ParameterError, match="contains the column 'width'"):
        MixedNB({"width": "poisson"}).fit(X, y)
    with pytest.raises(ParameterError, match=r"column 1 must be one of .*got 'normal'"):
        MixedNB({1: "normal"}).fit(X, y)
    with pytest.raises(ParameterError, match="must be 'categorical', because"):
        MixedNB({0: "gaussian"}).fit([["a"], ["b"]], [0, 1])
    with pytest.raises(DataError, match="column 0 of X must contain counts"):
        MixedNB("poisson").fit(X, y)


def test_messages_name_columns_and_what_they_may_have():
    X = pd.DataFrame({"size": [1.0, 2.0, 3.0], "colour": pd.Categorical(["r", "g", "r"])})
    with pytest.raises(
        ParameterError, match="column 'colour' must be 'categorical', because it contains"
    ):
        MixedNB({"colour": "gaussian"}).fit(X, [0, 1, 1])
    with pytest.raises(
        ParameterError, match=r"column 'size' must be one of gaussian, .* got 'cauchy'"
    ):
        MixedNB({"size": "cauchy"}).fit(X, [0, 1, 1])
    with pytest.raises(
        ParameterError, match=r"'weight', which X does not have; it has \['size', 'co"
    ):
        MixedNB({"weight": "gaussian"}).fit(X, [0, 1, 1])
    with pytest.raises(
        ParameterError, match="column 7, which X does not have; it has the columns 0 to 1"
    ):
        MixedNB({7: "gaussian"}).fit([[1.0, 2.0], [2.0, 3.0]], [0, 1])


def test_more_bins_than_memory_are_refused():
    with pytest.raises(ValueError, match=r"MixedNB: bins must be an integer in \[1, 1000000\]"):
        gramian.MixedNB("histogram", bins=2**63).fit([[0.0], [1.0]], [0, 1])
