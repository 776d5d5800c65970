"""Products and sums of tables."""

import numpy as np
import pytest

from gramian.graphical_model.factors import Factor, eliminate, product


def test_products_and_sums_match_einsum(rng):
    a, b, c = rng.random((2, 3)), rng.random((3, 4)), rng.random((4, 2))
    factors = [Factor(("x", "y"), a), Factor(("y", "z"), b), Factor(("z", "u"), c)]
    joint = product(factors)
    assert joint.variables == ("x", "y", "z", "u")
    np.testing.assert_allclose(joint.table, np.einsum("xy,yz,zu->xyzu", a, b, c))
    np.testing.assert_allclose(
        eliminate(factors, ("u", "x")).table, np.einsum("xy,yz,zu->ux", a, b, c)
    )
    np.testing.assert_allclose(factors[0].reduce({"y": 2}).table, a[:, 2])
    np.testing.assert_allclose(factors[0].sum_out("x").table, a.sum(axis=0))


def test_tables_that_grow_too_large_are_refused():
    axes = [Factor((f"v{i}", f"v{i + 1}"), np.ones((50, 50))) for i in range(6)]
    with pytest.raises(ValueError, match="fewer variables at once"):
        product(axes)
    assert eliminate(axes, ("v0",)).table.shape == (50,)
