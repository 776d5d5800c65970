"""The QR factorisation of the active columns, as columns come and go."""

import numpy as np
import pytest

from gramian.linear_model.lasso.active_columns import ActiveColumns


@pytest.fixture
def table(rng):
    X = rng.normal(size=(12, 25))
    return X, rng.normal(size=12)


def check(active, X, y):
    """Q R = X_A with orthonormal Q, and the residual is orthogonal to the columns."""
    A = X[:, active.columns]
    np.testing.assert_allclose(active.Q @ active.R, A, atol=1e-12)
    np.testing.assert_allclose(active.Q.T @ active.Q, np.eye(A.shape[1]), atol=1e-12)
    np.testing.assert_allclose(active.Q @ active.h + active.residual, y, atol=1e-12)
    np.testing.assert_allclose(A.T @ active.residual, 0, atol=1e-11)


def test_the_factor_matches_the_active_columns_at_every_step(table):
    X, y = table
    active = ActiveColumns(X, y)
    for j in (3, 20, 7, 11):
        assert active.append(j, 1.0)
        check(active, X, y)
    for j in (20, 3, 11, 7):
        active.remove(j)
        check(active, X, y)
    assert active.columns == []
    np.testing.assert_allclose(active.residual, y)


def test_a_dependent_column_is_not_added(table):
    X, y = table
    X[:, 5] = 2 * X[:, 0] - X[:, 1]
    active = ActiveColumns(X, y)
    active.append(0, 1.0)
    active.append(1, -1.0)
    assert not active.append(5, 1.0)
    assert active.columns == [0, 1]


def test_no_more_columns_than_rows(table):
    X, y = table
    active = ActiveColumns(X, y)
    assert [active.append(j, 1.0) for j in range(14)] == [True] * 12 + [False] * 2
    check(active, X, y)  # the buffer of Q holds 16 columns at first


def test_the_segment_has_the_same_correlation_for_all_active_columns(table):
    """X_j'(y - X b) / n = p_j + C a_j with b_A = u - C v, and s_j C for active columns."""
    X, y = table
    active = ActiveColumns(X, y)
    signs = {2: 1.0, 8: -1.0, 15: 1.0}
    for j, sign in signs.items():
        active.append(j, sign)
    p, a, u, v = active.segment()
    for C in (0.0, 0.3):
        b = np.zeros(25)
        b[active.columns] = u - C * v
        correlations = X.T @ (y - X @ b) / 12
        np.testing.assert_allclose(correlations, p + C * a, atol=1e-11)
        np.testing.assert_allclose(
            correlations[active.columns], C * np.array(list(signs.values())), atol=1e-11
        )


def test_a_column_is_removed_from_as_many_as_there_are_rows(rng):
    X, y = np.asfortranarray(rng.normal(size=(3, 3))), rng.normal(size=3)
    active = ActiveColumns(X, y)
    for j in range(3):
        assert active.append(j, 1.0)
    active.remove(1)
    check(active, X, y)
