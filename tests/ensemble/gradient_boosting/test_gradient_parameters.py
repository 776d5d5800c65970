"""The parameters are scikit-learn's; tests/contract/test_signatures.py compares all of them."""

import pytest

from gramian import GradientBoostingRegressor, Ridge
from gramian.base.errors import ParameterError


@pytest.mark.parametrize(
    "bad",
    [{"loss": "cauchy"}, {"subsample": 0.0}, {"max_depth": 0}, {"init": "one"}, {"alpha": 1.0}],
)
def test_bad_values_are_refused(bad):
    with pytest.raises(ParameterError, match=next(iter(bad))):
        GradientBoostingRegressor(**bad).fit([[0.0], [1.0]], [0.0, 1.0])


@pytest.mark.parametrize("given", [{"max_depth": 5}, {"max_features": 1}, {"ccp_alpha": 0.1}])
def test_parameters_of_trees_are_refused_beside_an_estimator(given):
    model = GradientBoostingRegressor(estimator=Ridge(), **given)
    with pytest.raises(ParameterError, match=f"{next(iter(given))} is a parameter of the trees"):
        model.fit([[0.0], [1.0]], [0.0, 1.0])
