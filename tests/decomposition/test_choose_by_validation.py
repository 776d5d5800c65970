import numpy as np
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from gramian import PCA, LinearRegression, LogisticRegression
from gramian.base.errors import ParameterError
from gramian.decomposition import choose_by_validation

rng = np.random.default_rng(0)


def test_the_target_lies_in_the_third_component():
    X = rng.normal(size=(120, 8)) * [9, 7, 5, 1, 1, 1, 1, 1]
    y = X[:, 2] + 0.1 * rng.normal(size=120)
    chosen = choose_by_validation(LinearRegression(), X, y, counts=[1, 2, 3])
    assert chosen.n_components == 3


def test_scores_equal_those_from_a_pipeline():
    X = rng.normal(size=(60, 5))
    y = X.sum(axis=1) > 0
    chosen = choose_by_validation(LogisticRegression(), X, y, cv=3, whiten=True)
    assert chosen.counts == [1, 2, 3, 4, 5]
    for j, k in enumerate(chosen.counts):
        pipeline = make_pipeline(PCA(k, whiten=True), LogisticRegression())
        np.testing.assert_allclose(chosen.scores[:, j], cross_val_score(pipeline, X, y, cv=3))


def test_more_components_than_a_fold_has_rows_are_refused():
    with pytest.raises(ParameterError, match="between 1 and 5"):
        choose_by_validation(LinearRegression(), np.eye(10)[:, :5], np.ones(10), counts=[6])
