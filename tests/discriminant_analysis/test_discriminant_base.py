"""Base class of linear and quadratic discriminant analysis."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from gramian import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from gramian.base.errors import DataError, ParameterError

X, Y = load_iris(return_X_y=True)
BOTH = pytest.mark.parametrize("cls", [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis])


@BOTH
def test_chunks_give_the_fit_to_the_whole_table(cls):
    whole = cls().fit(X, Y)
    chunks = [(X[::2], Y[::2]), (X[1::2], Y[1::2])]
    assert_allclose(cls().fit_chunks(chunks).predict_proba(X), whole.predict_proba(X), atol=1e-9)


@BOTH
def test_weight_two_is_a_row_repeated_twice(cls):
    weights = 1 + np.arange(len(X)) % 2
    again = np.repeat(np.arange(len(X)), weights)
    weighted, repeated = cls().fit(X, Y, weights), cls().fit(X[again], Y[again])
    assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-9)


@BOTH
def test_rows_are_left_out_in_closed_form_with_given_priors_too(cls):
    model = cls(priors=[0.5, 0.3, 0.2]).fit(X, Y)
    obvious = cross_val_predict(model, X, Y, cv=LeaveOneOut(), method="predict_proba")
    assert_allclose(model.leave_one_out(X, Y), obvious, atol=1e-8)


@pytest.mark.parametrize(
    ("cls", "solvers"),
    [
        (LinearDiscriminantAnalysis, "use 'lsqr' or 'eigen'"),
        (QuadraticDiscriminantAnalysis, "use solver='eigen'"),
    ],
)
def test_shrinkage_needs_another_solver(cls, solvers):
    with pytest.raises(ParameterError, match=f"{cls.__name__}: shrinkage .*{solvers}"):
        cls(shrinkage=0.1).fit(X, Y)


def test_a_linear_fit_needs_two_rows():
    with pytest.raises(DataError, match="n_samples=1"):
        LinearDiscriminantAnalysis().fit(X[:1], Y[:1])
