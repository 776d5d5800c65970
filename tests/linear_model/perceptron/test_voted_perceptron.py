"""The voted perceptron."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian import VotedPerceptron
from gramian.base.errors import DataError
from tests.linear_model.perceptron.separable_rows import separable


def test_votes_count_the_rows_each_weight_vector_survived():
    X, y = separable(8)
    y[:4] *= -1
    model = VotedPerceptron(max_iter=3, shuffle=False).fit(X, y)
    w, b, c, kept = np.zeros(3), 0.0, 0, []
    for _ in range(3):
        for row, label in zip(X, y, strict=True):
            if label * (row @ w + b) <= 0:
                kept.append((w, b, c))
                w, b, c = w + label * row, b + label, 0
            else:
                c += 1
    kept.append((w, b, c))
    assert model.survived_.tolist() == [c for _, _, c in kept]
    votes = sum(c * np.sign(X @ w + b) for w, b, c in kept)
    np.testing.assert_array_equal(model.decision_function(X), votes)
    assert (model.predict(X) == np.where(votes > 0, 1, -1)).all()
    three = VotedPerceptron().fit([[0.0, 5.0], [5.0, 0.0], [-5.0, -5.0]], ["a", "b", "c"])
    assert three.predict([[0.0, 9.0], [9.0, 0.0], [-9.0, -9.0]]).tolist() == ["a", "b", "c"]


def test_separable_rows_end_with_an_epoch_without_mistakes():
    X, y = separable(2)
    model = VotedPerceptron(max_iter=1000).fit(X, y)
    assert model.n_iter_ < 1000
    assert len(model.weights_) == len(model.survived_) == len(model.biases_)
    assert (np.sign(X @ model.weights_[-1] + model.biases_[-1]) == y).all()
    assert model.survived_[-1] >= len(X)


def test_without_biases_the_planes_pass_through_the_origin_and_csr_is_the_same():
    X, y = separable(3)
    dense = VotedPerceptron(fit_intercept=False).fit(X, y)
    assert not dense.biases_.any()
    sparse = VotedPerceptron(fit_intercept=False).fit(sp.csr_array(X), y)
    np.testing.assert_allclose(sparse.weights_, dense.weights_)
    np.testing.assert_array_equal(sparse.survived_, dense.survived_)


def test_a_forged_classifier_index_is_refused():
    model = VotedPerceptron().fit(*separable(2))
    model.classifier_index_ = model.classifier_index_ + 1
    with pytest.raises(DataError, match="classifier_index_ must contain integers below 1"):
        model._check_loaded()
