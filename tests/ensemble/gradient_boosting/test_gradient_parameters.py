"""The parameters are scikit-learn's; tests/contract/test_signatures.py compares all of them."""

import pytest

from gramian import GradientBoostingRegressor
from gramian.base.errors import ParameterError


@pytest.mark.parametrize(
    "bad",
    [{"loss": "poisson"}, {"subsample": 0.0}, {"max_depth": 0}, {"init": "one"}, {"alpha": 1.0}],
)
def test_bad_values_are_refused(bad):
    with pytest.raises(ParameterError, match=next(iter(bad))):
        GradientBoostingRegressor(**bad).fit([[0.0], [1.0]], [0.0, 1.0])
