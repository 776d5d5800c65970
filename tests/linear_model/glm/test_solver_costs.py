"""Estimated costs of the solvers."""

from gramian.linear_model.glm.solver_costs import Costs
from tests.linear_model.glm.shapes import shaped


def test_costs_rise_with_the_shape():
    small, tall, wide, many = (
        Costs.of(shaped(*s)) for s in [(100, 10), (1000, 10), (100, 50), (100, 10, 5)]
    )
    for more in (tall, wide, many):
        assert more.hessian(more.n) > small.hessian(small.n)
        assert more.step(more.n) > small.step(small.n)
    assert many.preconditioner(100) == small.preconditioner(100)  # one matrix for all classes


def test_costs_come_from_the_shape_alone():
    cost = Costs.of(shaped(100, 10, 5))
    assert (cost.n, cost.m, cost.outputs, cost.unknowns) == (100, 11, 5, 55)
    assert Costs.of(shaped(100, 10, sparse=True)).values == 1  # no value but the bias


def test_the_cheapest_solver_of_typical_shapes():
    assert Costs.of(shaped(200, 20)).cheapest() == "newton"
    assert Costs.of(shaped(100_000, 30)).cheapest() == "sampled"
    assert Costs.of(shaped(1000, 1000)).cheapest() == "preconditioner"


def test_a_sample_has_rows_for_every_unknown_and_no_more_than_a_bounded_cost():
    few, many = Costs.of(shaped(10, 50)), Costs.of(shaped(10, 500))
    assert few.sample() == 100 * 51
    assert many.sample() == 2_000_000_000 // 501**2
    assert Costs.of(shaped(10, 3)).sample() == 2000
