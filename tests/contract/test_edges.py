"""Numbers at the edges of what floats hold: a finite answer, or an error that says what to do."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from gramian import (
    ElasticNet,
    Lasso,
    LassoCV,
    LogisticRegression,
    ParabolicLift,
    QuadricFeatures,
)
from tests.contract.estimators import (
    first_of_each,
    is_pairwise,
    needs_numbers,
    outputs,
    quick,
    table,
)


def largest(X):
    return X / np.abs(X).max() * 1.7e308


CASES = {
    "X tiny": lambda X, y, w: (X * 1e-300, y, None),
    "X 1e200": lambda X, y, w: (X * 1e200, y, None),
    "X largest": lambda X, y, w: (largest(X), y, None),
    "X zero": lambda X, y, w: (X * 0, y, None),
    "X constant": lambda X, y, w: (X * 0 + 3, y, None),
    "one row": lambda X, y, w: (X[:1], None if y is None else y[:1], None),
    "y tiny": lambda X, y, w: (X, y * 1e-300, None),
    "y 1e160": lambda X, y, w: (X, y * 1e160, None),
    "y 1e300": lambda X, y, w: (X, y * 1e300, None),
    "y zero": lambda X, y, w: (X, y * 0, None),
    "weights tiny": lambda X, y, w: (X, y, w * 1e-300),
    "weights 1e300": lambda X, y, w: (X, y, w * 1e300),
}


def names(model):
    """The class names of a model and of the models inside it, as LogisticRegression in its CV."""
    inside = [v for v in model.get_params().values() if hasattr(v, "fit")]
    own = type(model).__name__
    return {own, own.removesuffix("CV"), *(type(m).__name__ for m in inside)}


def asked():
    """Every estimator with the cases that concern it."""
    return [
        pytest.param(model, case, id=f"{param.id}-{case}")
        for param in first_of_each()
        for case in CASES
        for model in param.values
        if (needs_numbers(model) or not case.startswith("y"))
        and (has_fit_parameter(model, "sample_weight") or not case.startswith("weights"))
        and not (is_pairwise(model) and case in ("X constant", "one row"))  # these are no distances
    ]


@pytest.mark.parametrize(("model", "case"), asked())
def test_answers_are_numbers_or_the_error_says_what_to_do(model, case):
    X, y = table(model, n=30)
    X, y, weights = CASES[case](X, y, np.ones(len(X)))
    keywords = {} if weights is None else {"sample_weight": weights}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # slow convergence may be reported
        warnings.simplefilter("error", RuntimeWarning)  # overflow and division by 0 may not
        try:
            answers = outputs(quick(model).fit(X, y, **keywords), X)
        except ValueError as error:  # of our own, or LAPACK's that has no answer
            answers = {}
            message = str(error)
        else:
            message = ""
    assert answers or any(f"{name}:" in message for name in names(model)), "who refuses, and what?"
    for name, value in answers.items():
        value = np.asarray(value)
        if value.dtype.kind != "f":
            continue
        assert not np.isnan(value).any(), name
        if name == "predict[0]":
            assert np.isfinite(value).all(), name


@pytest.mark.parametrize("scale", [1e300, 1e-300])
@pytest.mark.parametrize(
    "model",
    [
        m
        for m in first_of_each()
        if has_fit_parameter(m.values[0], "sample_weight")
        and m.id.startswith(("AdaBoost", "GradientBoosting", "HistGradient", "DecisionT", "Random"))
    ],
)
def test_the_scale_of_all_weights_does_not_matter(model, scale):
    X, y = table(model)
    w = np.arange(1.0, 1 + len(X))
    model = clone(model)
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    plain, scaled = (clone(model).fit(X, y, sample_weight=v) for v in (w, w / 64 * scale))
    a, b = plain.predict(X), scaled.predict(X)
    if np.asarray(a).dtype.kind == "f":
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5)
    else:
        assert np.mean(a == b) > 0.95


def test_a_softmax_with_an_l1_penalty_names_itself():
    X, y = table(LogisticRegression())
    with pytest.raises(ValueError, match=r"^LogisticRegression: X must .* Scale the columns"):
        LogisticRegression(l1_ratio=1.0).fit(X * 1e200, y)


@pytest.mark.parametrize("model", [ElasticNet(0.1), Lasso(0.1), LassoCV(alphas=3, cv=2)])
@pytest.mark.parametrize("scale", [2.0**1000, 2.0**-1000])
def test_the_lasso_does_not_know_the_scale_of_all_weights(model, scale):
    X, y = table(model)
    w = np.arange(1.0, 1 + len(X))
    plain, scaled = (clone(model).fit(X, y, sample_weight=v) for v in (w, w * scale))
    np.testing.assert_allclose(plain.coef_, scaled.coef_, rtol=1e-9)


@pytest.mark.parametrize("model", [ParabolicLift(), QuadricFeatures()])
def test_squares_that_single_precision_does_not_hold_are_refused(model):
    X = np.full((3, 2), 1e30, dtype=np.float32)
    with pytest.raises(ValueError, match=r"^\w+: X must .* finite in float32; .* Scale the col"):
        model.fit(X).transform(X)
    assert np.isfinite(model.transform(X.astype(np.float64))).all()
