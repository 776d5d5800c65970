import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_multilabel_classification

import gramian
from gramian import BRkNN, MLkNN
from gramian.base.errors import DataError

X, Y = make_multilabel_classification(60, 6, n_classes=4, random_state=0)
X = X.astype(float)


def counts(A, B, queries, k, own):
    """The obvious version."""
    found = np.zeros((len(queries), B.shape[1]), int)
    for i, q in enumerate(queries):
        squares = ((A - q) ** 2).sum(axis=1)
        if own:
            squares[i] = np.inf
        found[i] = B[np.argsort(squares, kind="stable")[:k]].sum(axis=0)
    return found


@pytest.mark.parametrize("k", [1, 5])
def test_labels_of_neighbours_are_counted(k):
    model = BRkNN(k).fit(X, Y)
    np.testing.assert_array_equal(
        model._neighbor_counts(X + 0.01), counts(X, Y, X + 0.01, k, own=False)
    )
    np.testing.assert_array_equal(model._neighbor_counts(None), counts(X, Y, X, k, own=True))


def test_more_neighbours_than_a_byte_counts():
    rows = np.arange(600.0)[:, None]
    always = np.ones((600, 2), int)
    assert BRkNN(300).fit(rows, always).predict(rows).min() == 1


def test_sparse_rows_and_other_metrics():
    dense = MLkNN(5, metric="l1").fit(X, Y).predict_proba(X)
    sparse = MLkNN(5, metric="l1").fit(sp.csr_array(X), Y).predict_proba(sp.csr_array(X))
    np.testing.assert_array_equal(dense, sparse)


def test_sparse_rows_are_searched_in_blocks_or_as_they_are(monkeypatch):
    A = sp.csr_array(np.where(X > 2, X, 0))
    whole = BRkNN(4).fit(A, Y).decision_function(A)
    for cells in (10, 60 * 6):
        monkeypatch.setattr("gramian.multilabel.neighbor_counts._MAX_DENSE_CELLS", cells)
        model = BRkNN(4).fit(A, Y)
        monkeypatch.setattr("gramian.multilabel.neighbor_counts._MAX_DENSE_CELLS", 50)
        np.testing.assert_array_equal(model.decision_function(A), whole)
        assert sp.issparse(model.search_._fit_X) == (cells == 10)


def test_too_few_rows_raise_an_error():
    with pytest.raises(DataError, match="n_samples=10 must exceed n_neighbors=10"):
        MLkNN().fit(X[:10], Y[:10])


def test_a_tampered_file_is_refused(tmp_path):
    model = BRkNN(3).fit(X, Y)
    model._Y = model._Y[:-1]
    gramian.save(model, tmp_path / "m.gram")
    with pytest.raises(ValueError, match="_Y must have shape"):
        gramian.load(tmp_path / "m.gram")
