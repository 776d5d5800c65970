"""The leaderboard holds the scores in their own direction, the pairs the tests between them."""

import numpy as np
import pytest

from gramian.evaluate import adjust_p_values, critical_difference
from gramian.study.findings.leaderboard import describe_comparison, leaderboard
from gramian.study.journal import Journal
from gramian.study.progress import Clock, Counter
from gramian.study.search.final_comparison import compare_chosen
from gramian.study.search.search import Chosen
from gramian.study.search.trial import Candidate
from tests.study.tables import prices
from tests.study.workbench import bench_of

NAMES = ("Ridge", "KNeighborsRegressor")


@pytest.fixture(scope="module")
def compared():
    bench, splits, _ = bench_of(prices(), target="price", metric="rmse")
    chosen = {name: Chosen(Candidate(name, {}), 0.0, 3, ["a warning"]) for name in NAMES}
    with Journal(None) as journal:
        found = compare_chosen(bench, splits, chosen, 0.05, journal, Clock(None), Counter(None, 9))
    return bench, splits, found


def test_scores_are_in_the_direction_of_their_metric(compared):
    bench, _, found = compared
    rows = leaderboard(bench, found, "Ridge")
    assert [row.name for row in rows] == ["Ridge", "KNeighborsRegressor", "baseline"]
    for row in rows:
        for name, scores in found.scores[row.name].items():
            listed = row.metrics[name]
            assert listed.folds == pytest.approx(scores)
            assert listed.mean == pytest.approx(np.mean(scores))
            assert listed.low <= listed.mean <= listed.high
        assert row.train == pytest.approx(np.mean(found.train_scores[row.name]))
    errors = [row.metrics["rmse"].mean for row in rows]
    assert 0 < errors[0] < errors[1] < errors[2]


def test_a_row_shows_its_standing(compared):
    bench, _, found = compared
    rows = leaderboard(bench, found, "Ridge")
    assert [row.is_winner for row in rows] == [True, False, False]
    assert [row.is_baseline for row in rows] == [False, False, True]
    assert [row.tried for row in rows] == [3, 3, 1]
    assert rows[0].p_best == 1.0
    pairs = [found.comparisons["rmse"].pair("Ridge", row.name) for row in rows[1:]]
    adjusted = adjust_p_values([pair.result.p_value for pair in pairs], "holm")
    assert [row.p_best for row in rows[1:]] == adjusted.tolist()
    assert rows[2].p_best < 0.05
    assert [row.status for row in rows] == ["best", "worse", "worse"]
    groups = found.comparisons["rmse"].groups
    assert list(rows[2].groups) == [g for g, names in enumerate(groups) if "baseline" in names]
    assert rows[0].rank < rows[2].rank


def test_every_pair_is_tested(compared):
    _, splits, found = compared
    comparison = found.comparisons["rmse"]
    described = describe_comparison(comparison, splits)
    assert len(described.pairs) == 3
    for pair in described.pairs:
        both = (pair.first, pair.second)
        means = [comparison.scores[comparison.names.index(name)].mean() for name in both]
        assert pair.difference == pytest.approx(means[0] - means[1])
        assert pair.low < pair.difference < pair.high
        assert pair.p <= pair.p_adjusted <= 1
        assert pair.better + pair.same + pair.worse == pytest.approx(1.0)
    assert described.splits == len(splits.comparing) == 10
    assert described.critical_difference == critical_difference(3, 10, alpha=0.05)
