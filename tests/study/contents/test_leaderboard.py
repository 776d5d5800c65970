"""The leaderboard."""

from gramian.study.contents.leaderboard import LeaderboardRow


def test_the_best_model_comes_first(classes):
    rows = classes.leaderboard
    assert all(isinstance(row, LeaderboardRow) for row in rows)
    assert (rows[0].is_winner, rows[0].status) == (True, "best")
    assert [row.is_baseline for row in rows].count(True) == 1


def test_the_mean_matches_the_folds(classes):
    for row in classes.leaderboard:
        for score in row.metrics.values():
            assert abs(score.mean - sum(score.folds) / len(score.folds)) < 1e-9
