import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.linalg import LinAlgWarning

from gramian import LinearRegression
from gramian.base.errors import DataError, ParameterError
from gramian.linear_model import hat_matrix, leverages, rank_report
from tests.linear_model.data import table


@settings(deadline=None, max_examples=50)
@given(
    n=st.integers(2, 20), d=st.integers(1, 8), fit_intercept=st.booleans(), seed=st.integers(0, 5)
)
def test_the_hat_matrix_projects_onto_the_columns(n, d, fit_intercept, seed):
    """Symmetric, idempotent, keeps the columns, its trace is their rank."""
    X, y, _ = table(n, d, seed=seed)
    A = np.column_stack([X, np.ones(n)]) if fit_intercept else X
    H = hat_matrix(X, fit_intercept=fit_intercept)
    assert_allclose(H, H.T, atol=1e-9)
    assert_allclose(H @ H, H, atol=1e-8)
    assert_allclose(H @ A, A, atol=1e-8 * np.abs(A).max())
    assert np.trace(H) == pytest.approx(np.linalg.matrix_rank(A), abs=1e-7)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LinAlgWarning)  # where all leverages are 1
        assert_allclose(leverages(X, fit_intercept=fit_intercept), np.diag(H), atol=1e-10)
    fitted = H @ y
    assert abs(fitted @ (y - fitted)) < 1e-7 * (y @ y)


def test_the_hat_matrix_gives_weighted_fitted_values():
    X, y, w = table()
    model = LinearRegression().fit(X, y, w)
    H = model.hat_matrix(X, w)
    assert_allclose(H @ y, model.predict(X), rtol=1e-9)
    assert_allclose(model.leverages(X, w), np.diag(H), rtol=1e-9)


def test_a_fitted_model_gives_the_leverage_of_new_rows():
    X, y, w = table()
    Z = X[:3] * 2 + 1
    model = LinearRegression().fit(X, y, w)
    A, a = (np.column_stack([np.ones(len(rows)), rows]) for rows in (X, Z))
    by_hand = np.diag(a @ np.linalg.inv((A.T * w) @ A) @ a.T)
    assert_allclose(model.leverages(Z), by_hand, rtol=1e-9)
    assert_allclose(leverages(X, Z, sample_weight=w), by_hand, rtol=1e-9)
    assert_allclose(model.leverages(sp.csr_array(Z)), by_hand, rtol=1e-9)
    through_origin = LinearRegression(fit_intercept=False).fit(X, y)
    by_hand = np.diag(Z @ np.linalg.inv(X.T @ X) @ Z.T)
    assert_allclose(through_origin.leverages(Z), by_hand, rtol=1e-9)
    assert_allclose(leverages(X, Z, fit_intercept=False), by_hand, rtol=1e-9)


def test_leverages_survive_columns_far_from_zero():
    X, y, _ = table()
    near, far = LinearRegression().fit(X, y), LinearRegression().fit(X + 1e6, y)
    assert_allclose(far.leverages(X[:3] + 1e6), near.leverages(X[:3]), rtol=1e-4)


def test_the_hat_matrix_needs_the_training_rows():
    X, y, _ = table()
    model = LinearRegression().fit(X, y)
    with pytest.raises(ValueError, match="must equal those of the training rows"):
        model.hat_matrix(X[:3])
    with pytest.raises(ValueError, match="columns of X; got 1"):
        leverages(X, X[:, :1])


def test_a_fit_with_dependent_columns_refuses_leverages():
    X = np.arange(10.0).reshape(5, 2)
    with pytest.warns(LinAlgWarning):
        model = LinearRegression().fit(np.column_stack([X, X[:, 0]]), np.arange(5.0))
    with pytest.raises(DataError, match="full rank"):
        model.leverages(np.ones((1, 3)))


def test_leverages_of_dependent_columns():
    X, _, _ = table(d=3)
    doubled = np.column_stack([X, X[:, 0] - X[:, 2]])
    assert_allclose(leverages(doubled), leverages(X), atol=1e-10)


def test_rank_report_lists_redundant_columns():
    X, _, _ = table(30, 3)
    redundant = np.column_stack([X, np.full(30, 7.0), 2 * X[:, 0] - X[:, 1] + 5])
    report = rank_report(redundant)
    assert (report.rank, report.n_features, report.well_posed) == (3, 5, False)
    assert report.constant == [3]
    ((column, parts),) = report.dependent.items()
    moved = redundant - redundant.mean(axis=0)
    assert_allclose(sum(f * moved[:, k] for k, f in parts.items()), moved[:, column], atol=1e-9)
    assert "under-constrained" in str(report)


def test_rank_report_of_points_on_a_line():
    """Two columns whose points lie on a line determine no plane."""
    report = rank_report([[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]])
    assert report.rank == 1
    assert not report.well_posed


def test_rank_report_of_good_columns():
    X, _, _ = table()
    report = rank_report(X)
    assert report.well_posed
    assert str(report) == "rank 5 of 5: one least-squares solution"
    assert not rank_report(X[:4]).well_posed


def test_a_constant_column_is_redundant_with_an_intercept():
    X = np.column_stack([np.arange(5.0), np.ones(5)])
    assert rank_report(X).constant == [1]
    assert rank_report(X, fit_intercept=False).well_posed


def test_weights_of_new_rows_are_checked():
    X = np.random.default_rng(0).normal(size=(20, 2))
    model = LinearRegression().fit(X, X[:, 0])
    with pytest.raises(DataError, match="sample_weight must not be negative"):
        model.leverages(X[:3], sample_weight=[-1.0, 1.0, 1.0])
    with pytest.raises(DataError, match="sample_weight must have shape"):
        model.leverages(X[:3], sample_weight=[1.0, 1.0])
    with pytest.raises(ParameterError, match="noise must be a variance"):
        model.prediction_variance(X[:3], noise=-1.0)


def test_new_rows_alone_are_taken_as_training_rows_with_a_warning():
    """LT-25: three new rows of three columns determine a fit of their own; all leverages are 1."""
    X, _, _ = table(30, 3)
    Z = X[:3] + 1
    with pytest.warns(LinAlgWarning, match=r"pass the training rows first: leverages\(X, Z\)") as w:
        assert_allclose(leverages(Z), 1)
    assert w[0].filename == __file__
    assert (leverages(X, Z) < 1).any()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        leverages(X)
        leverages(X, Z)
        leverages(X[:4], fit_intercept=False)


@pytest.mark.parametrize(("rows", "fit_intercept"), [(3, False), (4, True), (2, True)])
def test_as_many_rows_as_unknowns_have_leverages_of_1(rows, fit_intercept):
    X, _, _ = table(rows, 3)
    with pytest.warns(LinAlgWarning, match=f"{rows} training rows"):
        assert_allclose(leverages(X, fit_intercept=fit_intercept), 1)
