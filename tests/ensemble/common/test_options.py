"""Parameter rules that several ensembles use."""

import pytest

from gramian import GradientBoostingRegressor, HistGradientBoostingRegressor
from gramian.ensemble.common.options import IsLoss, IsSets
from gramian.objectives import SquaredError


def test_a_loss_is_an_object_or_a_function_but_no_class():
    assert IsLoss().accepts(SquaredError())
    assert IsLoss().accepts(lambda y, z: (z - y, z))
    assert not IsLoss().accepts(SquaredError)
    assert not IsLoss().accepts("squared")


@pytest.mark.parametrize("value", [[{0, 1}, [2]], ((0,), (1,)), []])
def test_sequences_of_collections_are_sets(value):
    assert IsSets().accepts(value)


@pytest.mark.parametrize("value", ["01", [0, 1], 3, {0: [1]}])
def test_other_values_are_not_sets(value):
    assert not IsSets().accepts(value)


@pytest.mark.parametrize("kind", [GradientBoostingRegressor, HistGradientBoostingRegressor])
def test_messages_state_the_rule(kind):
    with pytest.raises(ValueError, match="a function that returns gradient and hessian"):
        kind(loss=SquaredError).fit([[0.0], [1.0]], [0.0, 1.0])
