"""Decisions follow the costs, and reject where that costs less."""

import numpy as np
import pytest

import gramian
from gramian import study
from gramian.study.problem.costs import (
    DecisionRule,
    class_index,
    cost_metric,
    costs_in_order,
    with_costs,
)
from gramian.study.problem.metrics import Predicted
from gramian.study.problem.problem import pose_problem
from gramian.study.settings import Settings
from tests.study.tables import QUICK, mixed, prices


@pytest.mark.slow
def test_costs_and_rejection_change_the_decisions(tmp_path):
    dear = study.run(mixed(), "bought", costs=((0, 1), (20, 0)), reject=0.4, **QUICK)
    assert dear.result["metric"] == "cost"
    copy = gramian.load(gramian.save(dear.model, tmp_path / "model.gram"))
    predicted = copy.predict(mixed())
    plain = study.run(mixed(), "bought", **QUICK).model.predict(mixed())
    assert set(predicted) <= {"yes", "no", "reject"}
    assert (predicted == "yes").sum() < (plain == "yes").sum()
    assert (predicted == "reject").any()
    with pytest.raises(ValueError, match="must be a square table of numbers"):
        study.run(mixed(), "bought", costs=((0, 1, 2),), **QUICK)
    with pytest.raises(ValueError, match="need a classification task"):
        study.run(prices(), "price", reject=0.1)


def test_decisions_have_the_least_expected_cost():
    """A miss of class 1 costs 4, a false alarm 1: predict 1 from a probability of 1/5 on."""
    rule = DecisionRule(np.array([[0.0, 4.0], [1.0, 0.0]]), reject=None)
    p = np.array([0.1, 0.19, 0.21, 0.9])
    proba = np.column_stack([1 - p, p])
    assert rule.classes(proba).tolist() == [0, 0, 1, 1]
    assert rule.decisions(proba).tolist() == [0, 0, 1, 1]
    assert rule.rejected(Predicted(np.zeros(4), proba)) is None


def test_rows_are_rejected_where_that_costs_less():
    """With equal costs and rejection at 0.3, rows are rejected between 0.3 and 0.7."""
    rule = DecisionRule(1.0 - np.eye(2), reject=0.3)
    p = np.array([0.29, 0.31, 0.69, 0.71])
    predicted = Predicted(np.zeros(4, dtype=int), np.column_stack([1 - p, p]))
    assert rule.decisions(predicted.proba).tolist() == [0, -1, -1, 1]
    assert rule.classes(predicted.proba).tolist() == [0, 0, 1, 1]
    assert rule.rejected(predicted).tolist() == [False, True, True, False]
    assert rule.rejected(Predicted(predicted.values, None)) is None


def test_the_metric_is_the_mean_of_what_is_paid():
    rule = DecisionRule(np.array([[0.0, 4.0], [1.0, 0.0]]), reject=0.5)
    (metric,) = cost_metric(rule)
    p = np.array([0.05, 0.05, 0.3, 0.95, 0.95])
    predicted = Predicted(np.zeros(5), np.column_stack([1 - p, p]))
    y = np.array([0, 1, 0, 1, 0])  # paid: 0, 4, 0.5 for rejecting, 0, 1
    assert metric.function(y, predicted, None) == pytest.approx(5.5 / 5)
    assert metric.function(y, predicted, np.array([1, 0, 2, 0, 1])) == pytest.approx(2.0 / 4)
    assert metric.score(2.0) == -2.0
    assert cost_metric(None) == ()


def test_a_model_without_costs_stays_as_it_is():
    problem = pose_problem(mixed(), Settings(target="bought"))
    pipeline = object()
    assert with_costs(pipeline, problem, Settings(target="bought")) is pipeline
    wrapped = with_costs(pipeline, problem, Settings(target="bought", reject=0.1))
    assert wrapped.estimator is pipeline
    assert (wrapped.reject, wrapped.reject_label) == (0.1, "reject")


def test_named_costs_are_put_in_the_order_of_the_classes():
    costs = ((0, 1, 2), (3, 0, 4), (5, 6, 0))
    found = costs_in_order(costs, ("c", "a", "b"), np.array(["a", "b", "c"]))
    assert found == ((0, 4, 3), (6, 0, 5), (1, 2, 0))
    assert costs_in_order(((0, 1), (9, 0)), ("1", "0"), np.array([0.0, 1.0])) == ((0, 9), (1, 0))
    named = study.run(
        mixed(), "bought", costs=((0, 20), (1, 0)), cost_classes=("yes", "no"), **QUICK
    )
    plain = study.run(mixed(), "bought", costs=((0, 1), (20, 0)), **QUICK)
    assert named.contents.costs == plain.contents.costs
    assert named.result["leaderboard"] == plain.result["leaderboard"]
    with pytest.raises(ValueError, match="costs must name the classes no, yes; got yes, maybe"):
        study.run(mixed(), "bought", costs=((0, 1), (1, 0)), cost_classes=("yes", "maybe"), **QUICK)


def test_classes_may_be_named_as_the_table_writes_them():
    """A target of 10% and 25% is read as 0.1 and 0.25, one of Yes and no as Yes and No."""
    percent = np.array([0.1, 0.25])
    assert [class_index(n, percent) for n in ("10%", "25%", "0.25", "7%")] == [0, 1, 1, None]
    assert costs_in_order(((0, 1), (5, 0)), ("25%", "10%"), percent) == ((0.0, 5.0), (1.0, 0.0))
    texts = np.array(["10%", "25%", "7.5%"])
    assert [class_index(n, texts) for n in ("7.5%", "0.1", "0.3")] == [2, 0, None]
    money = np.array([100, 2500])
    assert [class_index(n, money) for n in ("$2,500", "100.0", "x")] == [1, 0, None]
    words = np.array(["No", "Yes"])
    assert [class_index(n, words) for n in ("yes", "NO", "Y", "oak")] == [1, 0, 1, None]
    with pytest.raises(ValueError, match=r"costs must name the classes 0.1, 0.25; got 10%, 30%"):
        costs_in_order(((0, 1), (5, 0)), ("10%", "30%"), percent)
