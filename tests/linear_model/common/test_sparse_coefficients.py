"""Coefficients as CSR."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

import gramian
from gramian.linear_model.common.sparse_coefficients import products

X = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 0.0], [2.0, 1.0, 1.0], [0.0, 3.0, 1.0]])
MODELS = [
    gramian.LinearSVC(),
    gramian.LogisticRegression(),
    gramian.Perceptron(),
    gramian.SGDClassifier(random_state=0),
    gramian.SGDRegressor(random_state=0),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("y", [[0, 1, 1, 0], [0, 1, 2, 0]])
def test_predictions_stay_the_same(model, y):
    model.fit(X, y)
    before = model.predict(X)
    dense = model.coef_.copy()
    assert model.sparsify() is model
    assert sp.issparse(model.coef_)
    for rows in (X, sp.csr_array(X)):
        np.testing.assert_allclose(model.predict(rows), before)
    np.testing.assert_array_equal(model.densify().coef_.reshape(dense.shape), dense)


def test_an_unfitted_model_has_no_coefficients():
    with pytest.raises(NotFittedError):
        gramian.LinearSVC().sparsify()


def test_dense_and_sparse_products_agree():
    coef = np.array([[1.0, 0.0, 2.0]])
    for table in (X, sp.csr_array(X)):
        for c in (coef, sp.csr_array(coef)):
            np.testing.assert_array_equal(products(table, c), X @ coef.T)
