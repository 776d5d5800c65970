"""The worst rows are those of the largest loss; subgroups are tested against all rows."""

import numpy as np
import polars as pl
import pytest

from gramian.study.findings.error_analysis import losses_of, slices, worst_rows
from gramian.study.problem.metrics import Predicted
from gramian.study.problem.problem import pose_problem
from gramian.study.settings import Settings


@pytest.fixture
def problem():
    """Rows of town "B" and of large x are hard, in the tests below."""
    frame = pl.DataFrame(
        {
            "x": np.arange(200.0) ** 1.5,
            "town": ["A", "B"] * 100,
            "y": ["no", "yes", "yes", "no"] * 50,
        }
    )
    return pose_problem(frame, Settings(target="y"))


@pytest.fixture
def numeric(rng):
    frame = pl.DataFrame({"x": np.arange(200.0) ** 1.5, "town": ["A", "B"] * 100})
    return pose_problem(frame.with_columns(y=pl.Series(rng.normal(size=200))), Settings(target="y"))


def test_the_loss_of_a_row(problem, numeric):
    y = np.array([0, 1])
    proba = np.array([[0.7, 0.3], [0.6, 0.4]])
    np.testing.assert_allclose(losses_of(problem, y, Predicted(y, proba)), [0.3, 0.6])
    np.testing.assert_array_equal(losses_of(problem, y, Predicted(np.array([0, 0]), None)), [0, 1])
    predicted = Predicted(np.array([1.5, -1.0]), None)
    np.testing.assert_allclose(losses_of(numeric, np.array([1.0, 1.0]), predicted), [0.5, 2.0])


def test_the_worst_rows_come_first_and_right_ones_not_at_all(problem):
    rows = np.arange(50, 90)
    y = problem.y[rows]
    right = np.full(40, 0.9)
    right[[3, 7]] = 0.2, 0.1
    proba = np.where(np.arange(2) == y[:, None], right[:, None], 1 - right[:, None])
    found = worst_rows(problem, rows, Predicted(proba.argmax(axis=1), proba), ["x", "town"])
    assert [(item.row, item.loss) for item in found] == [
        (57, pytest.approx(0.9)),
        (53, pytest.approx(0.8)),
    ]
    assert found[0].truth == problem.labels[57] != found[0].predicted
    assert found[0].values == {"x": 57.0**1.5, "town": "B"}


def test_ten_rows_of_a_regression_are_shown(numeric):
    predicted = Predicted(np.zeros(200), None)
    found = worst_rows(numeric, np.arange(200), predicted, ["town"])
    order = np.argsort(-np.abs(numeric.y))[:10]
    assert [item.row for item in found] == order.tolist()
    assert found[0].truth == numeric.y[order[0]]


def test_a_level_with_more_errors_is_found(problem):
    rows = np.arange(200)
    wrong = np.where(rows % 2 == 1, rows % 3 == 0, rows % 50 == 0)
    predicted = Predicted(np.where(wrong, 1 - problem.y, problem.y), None)
    found = slices(problem, rows, predicted, ["x", "town"], 0.05)
    assert (found[0].column, found[0].part, found[0].rows) == ("town", "B", 100)
    assert found[0].error == pytest.approx(wrong[1::2].mean())
    assert found[0].overall == pytest.approx(wrong.mean())
    assert found[0].low < found[0].error < found[0].high
    assert found[0].p <= found[0].p_adjusted < 0.01
    assert all(item.error > item.overall for item in found)


def test_a_quartile_with_larger_errors_is_found(numeric):
    error = np.where(np.arange(200) >= 150, 5.0, 1.0) + 0.01 * np.sin(np.arange(200))
    predicted = Predicted(numeric.y + error, None)
    found = slices(numeric, np.arange(200), predicted, ["x", "town"], 0.05)
    assert (found[0].column, found[0].rows) == ("x", 50)
    assert found[0].error == pytest.approx(error[150:].mean())
    assert found[0].part.endswith(f"{199.0**1.5:.4g}")


def test_small_subgroups_are_not_tested(problem):
    rows = np.arange(18)
    predicted = Predicted(1 - problem.y[rows], None)
    assert slices(problem, rows, predicted, ["town"], 0.05) == ()


def test_the_ends_of_parts_have_no_powers_of_ten(rng):
    frame = pl.DataFrame({"x": np.arange(200.0) * 12_345.678, "y": rng.normal(size=200)})
    problem = pose_problem(frame, Settings(target="y"))
    predicted = Predicted(np.where(np.arange(200) < 150, problem.y, problem.y + 3), None)
    found = slices(problem, np.arange(200), predicted, ["x"], 0.05)
    assert found[0].part == "1842592 to 2456790"
