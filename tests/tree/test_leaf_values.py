"""Leaves that predict values, for one output or several."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from gramian.base.errors import ParameterError
from gramian.tree import DecisionTreeRegressor

X = np.arange(4.0)[:, None]


def test_predictions_have_the_shape_and_the_float_type_of_the_targets():
    y = np.array([1.0, 1.0, 5.0, 5.0])
    for dtype in (np.float32, np.float64):
        one = DecisionTreeRegressor().fit(X, y.astype(dtype)).predict(X)
        two = DecisionTreeRegressor().fit(X, np.column_stack([y, -y]).astype(dtype)).predict(X)
        assert_array_equal(one, y)
        assert_array_equal(two, np.column_stack([y, -y]))
        assert one.dtype == two.dtype == dtype


def test_a_leaf_predicts_the_weighted_mean():
    model = DecisionTreeRegressor(max_depth=0).fit(X, [0.0, 0.0, 3.0, 9.0], [1, 1, 2, 0])
    assert model.predict([[7.0]]).tolist() == [1.5]


def test_monotone_constraints_are_for_one_output():
    with pytest.raises(ParameterError, match="one output only"):
        DecisionTreeRegressor(monotonic_cst=[1]).fit(X, np.zeros((4, 2)))
