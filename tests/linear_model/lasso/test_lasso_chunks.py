"""Lasso from moments: the same path, and errors."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian import ElasticNet, Lasso
from gramian.base.errors import DataError
from gramian.linear_model.lasso.lasso_chunks import SummaryProblem

rng = np.random.default_rng(0)
X = rng.normal(size=(80, 6)) + 20.0
y = X @ [1.0, 0.0, -2.0, 0.0, 0.0, 0.5] + rng.normal(size=80)
CHUNKS = [(X[:30], y[:30]), (X[30:], y[30:])]


@pytest.mark.parametrize("settings", [{}, {"positive": True}, {"fit_intercept": False}])
def test_chunks_give_the_same_model_as_in_memory(settings):
    whole = Lasso(0.1, **settings).fit(X, y)
    parts = Lasso(0.1, **settings).fit_chunks(CHUNKS)
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(parts.intercept_, whole.intercept_, rtol=1e-9)


def test_the_cost_follows_from_the_moments():
    from gramian.base.rows.chunks import Chunks
    from gramian.base.rows.moments import Rows

    rows = Rows.in_chunks(Chunks.of(Lasso(), CHUNKS), 1)
    problem = SummaryProblem(rows, rows.summarise(), 0, centre=True)
    path = problem.path(np.empty(0), 0.1, 0.2, positive=False, tol=1e-8, max_iter=100)
    left = y - X @ path.coef[0] - path.intercept[0]
    cost = left @ left / 160 + 0.1 * abs(path.coef[0]).sum() + 0.1 * path.coef[0] @ path.coef[0]
    assert problem._cost(path, y, 0.1, 0.2) == pytest.approx(cost)


def test_sparse_chunks_are_refused():
    with pytest.raises(DataError, match="fit_chunks needs dense chunks"):
        ElasticNet().fit_chunks([(sp.csr_array(X), y)])
