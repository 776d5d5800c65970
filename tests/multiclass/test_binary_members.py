import numpy as np
import pytest
import sklearn.linear_model

from gramian import (
    KNeighborsClassifier,
    LogisticRegression,
    OneVsOneClassifier,
    OneVsRestClassifier,
    SGDClassifier,
)
from gramian.multiclass.binary_members import select_rows


def test_input_tags_match_the_members():
    assert OneVsRestClassifier(LogisticRegression()).takes_sparse
    assert (
        OneVsRestClassifier(KNeighborsClassifier(metric="precomputed"))
        .__sklearn_tags__()
        .input_tags.pairwise
    )


def test_rows_of_a_square_matrix_are_columns_too():
    matrix = np.arange(9.0).reshape(3, 3)
    assert select_rows(matrix, np.array([0, 2]), pairwise=True).tolist() == [[0, 2], [6, 8]]
    assert select_rows(matrix, np.array([0, 2]), pairwise=False).shape == (2, 3)


@pytest.mark.parametrize("learner", [SGDClassifier(), sklearn.linear_model.SGDClassifier()])
@pytest.mark.parametrize("kind", [OneVsRestClassifier, OneVsOneClassifier])
def test_an_interrupted_partial_fit_leaves_all_members_as_they_were(kind, learner, monkeypatch):
    """Also members of other libraries, which change their arrays in place."""
    X = np.random.default_rng(0).normal(size=(30, 2))
    y = np.arange(30) % 3
    model = kind(learner.set_params(random_state=0)).partial_fit(X, y, classes=[0, 1, 2])
    members, coefs = model.estimators_, [member.coef_.copy() for member in model.estimators_]
    update, updated = kind._continue_fit, []

    def interrupted(self, *arguments):
        if updated:
            raise KeyboardInterrupt
        updated.append(update(self, *arguments))
        return updated[0]

    with monkeypatch.context() as patch:
        patch.setattr(kind, "_continue_fit", interrupted)
        with pytest.raises(KeyboardInterrupt):
            model.partial_fit(X, y)
    assert not np.array_equal(updated[0].coef_, coefs[0])
    assert model.estimators_ is members
    model.partial_fit(X, y)
    assert model.estimators_ is not members
    for member, coef in zip(members, coefs, strict=True):
        np.testing.assert_array_equal(member.coef_, coef)
