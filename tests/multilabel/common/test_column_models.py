import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.datasets import make_multilabel_classification
from sklearn.naive_bayes import GaussianNB

import gramian
from gramian import (
    SVC,
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LinearSVC,
    LogisticRegression,
    RidgeClassifier,
)
from gramian.base.errors import DataError
from gramian.multilabel.common.column_models import ColumnModels, fit_columns, positive_score

X, Y = make_multilabel_classification(80, 6, n_classes=4, random_state=0)
X = X.astype(float)
LEARNERS = [
    LogisticRegression(tol=1e-10),
    RidgeClassifier(),
    KNeighborsClassifier(3),
    DecisionTreeClassifier(random_state=0),
    LinearSVC(),
    RidgeClassifier(class_weight="balanced"),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_shared_fits_equal_a_fit_for_each_column(learner):
    models = fit_columns(learner, X, Y)
    alone = [clone(learner).fit(X, column) for column in Y.T]
    expected = np.column_stack([positive_score(each, X) for each in alone])
    np.testing.assert_allclose(models.scores(X), expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(models.scores(X, np.array([2, 0])), expected[:, [2, 0]], atol=1e-9)
    np.testing.assert_array_equal(models.codes(X), np.column_stack([m.predict(X) for m in alone]))


@pytest.mark.parametrize(
    "learner", [LogisticRegression(), KNeighborsClassifier(3), DecisionTreeClassifier()], ids=str
)
def test_columns_of_several_classes(learner):
    codes = np.column_stack([Y[:, 0] + Y[:, 1], Y[:, 2], np.zeros(len(Y), int)])
    models = fit_columns(learner, X, codes)
    alone = clone(learner).fit(X, codes[:, 0])
    p = models.probabilities(X)
    np.testing.assert_allclose(p[0], alone.predict_proba(X), rtol=1e-9)
    assert [each.shape[1] for each in p] == [3, 2, 2]
    np.testing.assert_array_equal(p[2], np.tile([1.0, 0.0], (len(X), 1)))
    np.testing.assert_array_equal(models.codes(X)[:, 0], alone.predict(X))


def test_kernel_machines_share_their_matrix():
    """Kernel values are in single precision, as in the cache of `fit`."""
    fixed = np.column_stack([Y, np.ones(80, int)])
    models = fit_columns(SVC(tol=1e-6), X, fixed)
    assert models.members[-1] == 1
    for column, found in zip(Y.T, models.scores(X).T, strict=False):
        alone = SVC(tol=1e-6).fit(X, column)
        np.testing.assert_allclose(found, alone.decision_function(X), atol=1e-3)


def test_labels_that_are_never_or_always_on():
    constant = np.column_stack([Y[:, 0], np.zeros(80, int), np.ones(80, int)])
    for learner in LEARNERS:
        models = fit_columns(learner, X, constant)
        half = 0.5 if models.has_probabilities else 0.0
        predicted = models.scores(X) > half
        assert not predicted[:, 1].any()
        assert predicted[:, 2].all()


def test_neighbours_are_searched_once_and_ridge_models_factorised_once():
    for learner in (KNeighborsClassifier(3), RidgeClassifier()):
        models = fit_columns(learner, X, Y)
        assert models.joint
        assert len(models.members) == 1


def test_the_threads_do_not_matter():
    A = sp.csr_array(np.where(X > 2, X, 0))
    found = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        found.append(fit_columns(LogisticRegression(), A, Y).scores(A))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_the_number_of_members_is_checked():
    with pytest.raises(DataError, match="members must be 2"):
        ColumnModels(np.array([2, 2]), [0])


def test_a_number_of_classes_that_no_table_has_is_refused():
    with pytest.raises(DataError, match="1,048,576 classes; got 12,451,843"):
        ColumnModels(np.array([12_451_843]), [0])


def test_logistic_models_of_wide_sparse_rows_are_fitted_in_step():
    """A label that no row has stays a constant among them."""
    rng = np.random.default_rng(0)
    rows = sp.csr_array(sp.random_array((120, 260), density=0.05, rng=rng))
    codes = (rows @ rng.normal(size=(260, 6)) > 0.2).astype(int)
    codes[:, 2] = 0
    learner = LogisticRegression(tol=1e-8)
    models = fit_columns(learner, rows, codes)
    assert models.members[2] == 0
    for j in (0, 1, 3, 4, 5):
        assert models.members[j].solver_ == "Newton"
        alone = clone(learner).fit(rows, codes[:, j])
        np.testing.assert_allclose(models.members[j].coef_, alone.coef_, atol=1e-5)


class _Shares(GaussianNB):
    """An external classifier that fits all columns in one call."""

    def fit_columns(self, X, Y, sample_weight=None):
        self.shared = True
        return [GaussianNB().fit(X, column, sample_weight) for column in Y.T]


def test_any_estimator_can_share_work_between_columns(rng):
    X = rng.normal(size=(60, 3))
    codes = np.column_stack([X[:, 0] > 0, X[:, 1] > 0, np.ones(60)]).astype(np.intp)
    estimator = _Shares()
    found = fit_columns(estimator, X, codes)
    assert estimator.shared
    assert found.members[2] == 1  # a column of one class needs no classifier
    for j in (0, 1):
        alone = GaussianNB().fit(X, codes[:, j])
        assert_array_equal(found.codes(X)[:, j], alone.predict(X))


@pytest.mark.parametrize("member", [2, -1, 0.5, None])
def test_codes_of_a_column_must_be_among_its_classes(member):
    with pytest.raises(DataError, match="integers from 0 to 1"):
        ColumnModels(np.array([2]), [member])
