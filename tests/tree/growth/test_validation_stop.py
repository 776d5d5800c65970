"""Splits that do not lower the validation error."""

import pytest

from gramian.base.errors import DataError
from gramian.tree import DecisionTreeClassifier, DecisionTreeRegressor
from tests.tree.table import interactions


def test_splits_that_do_not_lower_the_validation_error_are_undone() -> None:
    X, y = interactions(900, 6)
    labels = y > 0
    full = DecisionTreeClassifier().fit(X[:600], labels[:600])
    model = DecisionTreeClassifier().fit(X[:600], labels[:600], X_val=X[600:], y_val=labels[600:])
    assert 1 < model.get_n_leaves() < full.get_n_leaves()
    assert model.score(X[600:], labels[600:]) > full.score(X[600:], labels[600:])
    number = DecisionTreeRegressor().fit(X[:600], y[:600], X_val=X[600:], y_val=y[600:])
    assert 1 < number.get_n_leaves() < 300
    with pytest.raises(DataError, match="y_val"):
        DecisionTreeClassifier().fit(X, labels, X_val=X)
