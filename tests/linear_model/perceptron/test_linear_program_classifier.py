"""Classification by linear programs."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris

from gramian import LinearProgramClassifier
from gramian.base.errors import DataError
from gramian.linear_model import separability


@pytest.mark.parametrize("sparse", [False, True])
def test_no_slack_exactly_where_the_classes_are_separable(sparse):
    X, y = load_iris(return_X_y=True)
    table = sp.csr_array(X) if sparse else X
    first = LinearProgramClassifier(penalty=0).fit(table, y == 0)
    assert first.slack_[0] == pytest.approx(0, abs=1e-7)
    assert first.score(table, y == 0) == 1
    second = LinearProgramClassifier(penalty=0).fit(table, y == 1)
    verdict = separability(table, np.where(y == 1, 1, -1))
    assert not verdict.separable
    assert second.slack_[0] == pytest.approx(verdict.slack, rel=1e-6)


def test_a_weight_of_slack_counts_as_rows_repeated():
    X, y = load_iris(return_X_y=True)
    y = y == 1
    counts = np.random.default_rng(0).integers(0, 4, size=len(y))
    weighted = LinearProgramClassifier().fit(X, y, sample_weight=counts)
    repeated = LinearProgramClassifier().fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    np.testing.assert_allclose(weighted.slack_, repeated.slack_, rtol=1e-7)
    with pytest.raises(DataError, match="at least 2 classes"):
        LinearProgramClassifier().fit(X, y, sample_weight=y.astype(float))


@pytest.mark.parametrize("unit", [1e-10, 1e150])
def test_programs_do_not_depend_on_the_unit(unit):
    X, y = load_iris(return_X_y=True)
    plain = LinearProgramClassifier(penalty=0).fit(X, y)
    scaled = LinearProgramClassifier(penalty=0).fit(X * unit, y)
    np.testing.assert_allclose(scaled.slack_, plain.slack_, atol=1e-6)
    assert (scaled.predict(X * unit) == plain.predict(X)).all()


def test_a_penalty_picks_few_columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 20))
    y = X[:, 3] > 0.2
    model = LinearProgramClassifier(penalty=3.0).fit(X, y)
    assert np.abs(model.coef_[0]).argmax() == 3
    assert (np.abs(model.coef_[0]) > 1e-6).sum() < 10
