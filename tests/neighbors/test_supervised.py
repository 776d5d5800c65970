"""What classifiers and regressors store of their targets."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from gramian.neighbors import (
    KNeighborsClassifier,
    KNeighborsRegressor,
    RadiusNeighborsClassifier,
    RadiusNeighborsRegressor,
)


@pytest.mark.parametrize("model", [KNeighborsClassifier, RadiusNeighborsClassifier])
def test_labels_become_codes_of_sorted_classes(model, X):
    y = np.array(["b", "c", "a"])[np.arange(300) % 3]
    one = model().fit(X, y)
    assert_array_equal(one.classes_, ["a", "b", "c"])
    assert_array_equal(one.classes_[one._y], y)
    assert one.outputs_2d_ is False
    several = model().fit(X, np.column_stack([y, y == "a"]))
    assert several.outputs_2d_ is True
    assert [classes.tolist() for classes in several.classes_] == [
        ["a", "b", "c"],
        ["False", "True"],
    ]


@pytest.mark.parametrize("model", [KNeighborsRegressor, RadiusNeighborsRegressor])
def test_numeric_targets_keep_their_type(model, X):
    assert model().fit(X, X[:, 0].astype(np.float32))._y.dtype == np.float32
    assert model().fit(X.astype(np.float32), X[:, 0])._y.dtype == np.float64


@pytest.mark.parametrize(
    "model",
    [
        KNeighborsClassifier,
        KNeighborsRegressor,
        RadiusNeighborsClassifier,
        RadiusNeighborsRegressor,
    ],
)
def test_targets_are_as_many_as_rows(model, X):
    with pytest.raises(ValueError, match=model.__name__):
        model().fit(X, np.arange(299) % 2)
