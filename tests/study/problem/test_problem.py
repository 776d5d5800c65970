"""Tasks are found with a reason; what cannot be learned is refused in words."""

import narwhals.stable.v2 as nw
import polars as pl
import pytest

from gramian.base.errors import DataError, ParameterError
from gramian.study.problem.problem import pose_problem, target_candidates
from gramian.study.settings import Settings
from tests.study.tables import mixed, prices


def test_kinds_and_task():
    problem = pose_problem(mixed(), Settings(target="bought"))
    assert problem.kinds == {"age": "numeric", "income": "numeric", "town": "categorical"}
    assert (problem.task, problem.reason) == (
        "classification",
        "the target is categorical with 2 classes",
    )
    assert problem.labels.tolist() == mixed()["bought"].to_list()
    assert pose_problem(prices(), Settings(target="price")).task == "regression"
    assert pose_problem(prices(), Settings(task="clustering")).task == "clustering"
    assert pose_problem(prices(), Settings(target="rooms")).task == "classification"
    assert pose_problem(prices(), Settings(target="rooms", task="regression")).task == "regression"


def test_candidates_for_the_target_are_named_columns_then_the_last_one():
    frame = mixed().rename({"bought": "zz"})
    assert target_candidates(nw.from_native(frame)) == ["zz", "town", "age"]
    frame = mixed().select(pl.col("bought").alias("label"), "customer", "country", "age")
    assert target_candidates(nw.from_native(frame)) == ["label", "age"]


def test_rows_without_target_are_dropped_and_reported():
    frame = mixed().with_columns(
        pl.when(pl.int_range(pl.len()) < 7).then(None).otherwise(pl.col("bought")).alias("bought")
    )
    problem = pose_problem(frame, Settings(target="bought"))
    assert len(problem.y) == 113
    assert problem.rows[0] == 7
    assert "7 of 120 rows" in problem.issues[0].text


def test_memory_samples_rows():
    problem = pose_problem(mixed(), Settings(target="bought", memory=8 * 8 * 6 * 50))
    assert len(problem.rows) == 50
    assert "50 of 120 rows" in problem.issues[0].text


def test_rows_are_ordered_by_time_and_the_alphabet_is_said():
    days = pl.date_range(pl.date(2026, 1, 1), pl.date(2026, 4, 30), eager=True)
    frame = mixed().with_columns(
        day=days.reverse(),
        text=days.dt.to_string("%d.%m.%Y").reverse(),
        words=days.dt.to_string("the %d. of %B, they say").reverse(),
    )
    for column in ("day", "text"):
        problem = pose_problem(frame, Settings(target="bought", time=column))
        assert problem.rows.tolist() == list(range(119, -1, -1))
        assert problem.issues == []
    problem = pose_problem(frame, Settings(target="bought", time="words"))
    assert [issue.code for issue in problem.issues] == ["time-as-text"]


@pytest.mark.parametrize(
    ("frame", "settings", "words"),
    [
        (mixed().head(9), {"target": "bought"}, "9 rows; at least 10"),
        (mixed(), {"target": "bougth"}, "did you mean 'bought'"),
        (mixed(), {"target": "BOUGHT"}, "did you mean 'bought'"),
        (mixed(), {"target": "zzz"}, "the columns are 'customer'"),
        (mixed(), {"target": "country"}, "only one class, 'D'"),
        (mixed(), {"target": "customer"}, "too many to learn"),
        (mixed(), {"target": "town", "task": "regression"}, "is not numeric"),
        (mixed(), {"task": "regression"}, "target must name the column to predict"),
        (mixed(), {}, "such as 'bought' or 'town' or 'age'; task='clustering' finds clusters"),
        (mixed(), {"target": "town", "task": "clustering"}, "target must be None for task"),
        (mixed().select("customer", "bought"), {"target": "bought"}, "no feature columns are left"),
        (prices().with_columns(price=1.5), {"target": "price", "task": "regression"}, "constant"),
        (mixed(), {"target": "bought", "weights": "town"}, "weights: column 'town'"),
        (mixed(), {"target": "bought", "drop": ("twon",)}, "did you mean 'town'"),
    ],
)
def test_what_cannot_be_learned_is_refused(frame, settings, words):
    with pytest.raises(DataError, match=words):
        pose_problem(frame, Settings(**settings))


def test_a_table_must_be_a_frame():
    with pytest.raises(TypeError, match=r"study\.run: table must be a frame .* got list"):
        pose_problem([[1.0, 2.0]] * 20, Settings())


def test_columns_named_by_numbers(rng):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(rng.normal(size=(30, 3)))
    problem = pose_problem(frame, Settings(target="2"))
    assert problem.kinds == {"0": "numeric", "1": "numeric"}
    assert problem.y.tolist() == frame[2].tolist()


def test_columns_are_categories_where_that_is_asked_for(rng):
    frame = pl.DataFrame(
        {"id": range(40), "code": [1, 2, 3, 4] * 10, "y": ["a", "b"] * 20, "x": rng.normal(size=40)}
    )
    plain = pose_problem(frame, Settings(target="y"))
    assert plain.kinds == {"code": "numeric", "x": "numeric"}
    asked = pose_problem(frame, Settings(target="y", categorical=("code", "id")))
    assert asked.kinds == {"id": "categorical", "code": "categorical", "x": "numeric"}
    with pytest.raises(
        DataError, match="categorical: there is no column 'cod'; did you mean 'code'"
    ):
        pose_problem(frame, Settings(target="y", categorical=("cod",)))
    with pytest.raises(ParameterError, match="categorical and drop cannot both name 'x'"):
        Settings(target="y", categorical=("x",), drop=("x",))


def test_classes_of_percentages_keep_their_sign(rng):
    frame = pl.DataFrame({"x": rng.normal(size=40), "rate": ["10%", "7.5%", "25%", "10%"] * 10})
    problem = pose_problem(frame, Settings(target="rate", task="classification"))
    assert problem.classes.tolist() == ["10%", "25%", "7.5%"]
    parts = frame.with_columns(rate=pl.Series([0.5, 1.5] * 20))
    problem = pose_problem(parts, Settings(target="rate", task="classification"))
    assert problem.classes.tolist() == ["0.5", "1.5"]


def test_a_target_that_cannot_be_learned_is_said_before_features_that_are_gone():
    frame = pl.DataFrame({"id": range(40), "y": ["x"] * 40})
    with pytest.raises(DataError, match="has only one class, 'x'"):
        pose_problem(frame, Settings(target="y"))
