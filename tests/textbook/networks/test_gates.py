"""Logic by hand-set threshold units."""

import numpy as np
import pytest

from gramian.textbook.networks import layer_of_gates, xor_network
from gramian.textbook.networks.gates import AND, NAND, OR, layered

INPUTS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])


@pytest.mark.parametrize(
    ("gate", "truth"), [(AND, [0, 0, 0, 1]), (OR, [0, 1, 1, 1]), (NAND, [1, 1, 1, 0])]
)
def test_gates(gate, truth):
    assert layer_of_gates(gate)(INPUTS).ravel().tolist() == truth


def test_two_layers_compute_xor():
    assert layered(xor_network(), INPUTS).ravel().tolist() == [0, 1, 1, 0]


def test_no_single_unit_computes_xor(rng):
    gates = rng.normal(size=(20_000, 3))
    answers = layer_of_gates(*map(tuple, gates))(INPUTS)
    assert not (answers == np.array([[0], [1], [1], [0]])).all(axis=0).any()


def test_with_their_product_as_a_feature_one_unit_computes_xor():
    """x + y - 2xy > 1/2."""
    rows = np.column_stack([INPUTS, INPUTS.prod(axis=1)])
    assert (rows @ [1.0, 1.0, -2.0] > 0.5).tolist() == [False, True, True, False]


def test_no_layers_are_refused():
    with pytest.raises(ValueError, match="at least one layer"):
        layered((), INPUTS)


def test_a_gate_is_three_numbers():
    for gates in ((), ((1.0, 1.0),)):
        with pytest.raises(ValueError, match="each as"):
            layer_of_gates(*gates)
