"""Scores for growing parts of the training rows, computed once."""

import numpy as np
import polars as pl
import pytest

from gramian.study.journal import Journal
from gramian.study.search.learning_curve import learning_curve
from gramian.study.search.trial import Candidate
from tests.study.tables import prices
from tests.study.workbench import bench_of


def test_the_last_point_is_the_score_on_all_training_rows():
    bench, splits, _ = bench_of(prices(), target="price", metric="rmse")
    candidate = Candidate("Ridge", {"alpha": 0.1})
    with Journal(None) as journal:
        curve = learning_curve(bench, splits, candidate, journal)
    assert curve.metric == "rmse"
    rows = len(splits.comparing[0][0])
    assert [p.rows for p in curve.points] == [
        round(share * rows) for share in (0.1, 0.2, 0.4, 0.7, 1.0)
    ]
    whole = [bench.run(candidate, split)[0] for split in splits.comparing[:3]]
    assert curve.points[-1].validation == pytest.approx([t.scores["rmse"] for t in whole])
    assert curve.points[-1].train == pytest.approx([t.train_score for t in whole])
    assert np.mean(curve.points[0].validation) > np.mean(curve.points[-1].validation)


def test_a_part_with_too_few_rows_for_the_model_is_left_out():
    frame = pl.DataFrame({"x": np.arange(60.0) ** 2, "y": ["rare"] * 4 + ["a"] * 56})
    bench, splits, _ = bench_of(frame, target="y", metric="accuracy")
    with Journal(None) as journal:
        curve = learning_curve(bench, splits, Candidate("LogisticRegression", {}), journal)
    assert len(curve.points) < 5
    assert curve.points[-1].rows == len(splits.comparing[0][0])


def test_points_of_the_journal_are_not_fitted_again(tmp_path, monkeypatch):
    bench, splits, _ = bench_of(prices(), target="price")
    with Journal(tmp_path) as journal:
        first = learning_curve(bench, splits, Candidate("Ridge", {}), journal)
    monkeypatch.setattr(bench, "run", None)
    with Journal(tmp_path) as journal:
        assert learning_curve(bench, splits, Candidate("Ridge", {}), journal) == first
