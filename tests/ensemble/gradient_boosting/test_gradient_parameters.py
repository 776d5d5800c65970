"""The parameters are scikit-learn's; tests/contract/test_signatures.py compares all of them."""

import numpy as np
import pytest

import gramian
from gramian import GradientBoostingRegressor, Ridge
from gramian.base.errors import DataError, ParameterError


@pytest.mark.parametrize(
    "bad",
    [{"loss": "cauchy"}, {"subsample": 0.0}, {"max_depth": 0}, {"init": "one"}, {"alpha": 1.0}],
)
def test_bad_values_are_refused(bad):
    with pytest.raises(ParameterError, match=next(iter(bad))):
        GradientBoostingRegressor(**bad).fit([[0.0], [1.0]], [0.0, 1.0])


@pytest.mark.parametrize("settings", [{"max_depth": 5}, {"max_features": 1}, {"ccp_alpha": 0.1}])
def test_tree_parameters_with_an_estimator_are_rejected(settings):
    model = GradientBoostingRegressor(estimator=Ridge(), **settings)
    with pytest.raises(ParameterError, match=f"{next(iter(settings))} applies only to the trees"):
        model.fit([[0.0], [1.0]], [0.0, 1.0])


def test_huge_n_iter_no_change_is_allowed():
    X, y = np.arange(20.0)[:, None], np.arange(20.0)
    model = gramian.GradientBoostingRegressor(n_estimators=3, n_iter_no_change=2**62).fit(X, y)
    assert model.n_estimators_ == 3


def test_held_out_rows_of_weight_zero_are_rejected():
    X, y, weights = np.arange(40.0)[:, None], np.arange(40.0), (np.arange(40) < 2) * 1.0
    model = gramian.GradientBoostingRegressor(n_iter_no_change=2, random_state=0)
    with pytest.raises(DataError, match="GradientBoostingRegressor: sample_weight is 0 for all"):
        model.fit(X, y, sample_weight=weights)
