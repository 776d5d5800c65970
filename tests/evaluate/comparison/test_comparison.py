"""The result of a comparison: its tables, sentences and figure."""

import re
import sys

import numpy as np
import polars as pl
import pytest
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB

from gramian.evaluate import (
    compare,
)
from gramian.evaluate.comparison.comparison import listed
from tests.evaluate.comparison.conftest import MODELS, NOISY, Y


def test_the_best_comes_first_and_ranks_follow(found):
    means = found.scores.mean(axis=1)
    assert (np.diff(means) <= 0).all()
    assert found.best == found.names[0]
    assert found.names[-1] == "baseline"
    assert found.mean_ranks.sum() == pytest.approx(4 * 5 / 2)
    assert found.mean_ranks[-1] == 4


def test_the_tables(found):
    table = found.table()
    assert table["model"].tolist() == list(found.names)
    assert (table["low"] <= table["score"]).all()
    assert (table["score"] <= table["high"]).all()
    assert table["high"].max() <= 1
    assert table["p_best"][0] == 1
    assert set("".join(table["groups"])) == set("abcdef"[: len(found.groups)])
    pairs = found.pair_table()
    assert len(pairs) == 6
    assert pairs[["better", "same", "worse"]].sum(axis=1).tolist() == pytest.approx([1] * 6)


def test_without_pandas_the_table_is_a_dict_of_columns(found, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    table = found.table()
    assert isinstance(table, dict)
    assert pl.DataFrame(table).shape == (4, 11)


def test_it_prints_as_sentences(found):
    lines = str(found).splitlines()
    assert lines[0] == "4 models, 150 rows, 10 splits, scored by accuracy."
    assert lines[1].startswith(f"Highest mean: {found.best}, 0.")
    assert lines[-1] == "All are significantly better than the baseline (0.3333)."
    assert any(line.startswith("Significantly worse than it (corrected t") for line in lines)


def test_the_figure_has_a_bar_for_each_group_of_two_or_more(found):
    ax = found.plot()
    bars = [line for line in ax.lines if line.get_linewidth() == 3]
    assert len(bars) == sum(len(group) > 1 for group in found.groups)
    assert ax.get_xlabel() == "mean accuracy"
    import matplotlib.pyplot as plt

    plt.close(ax.figure)


class Halves:
    """Scores that depend only on the model and the number of the split."""

    def __init__(self):
        first = [np.random.default_rng(i).permutation(20) for i in range(5)]
        halves = [(np.sort(rows[:10]), np.sort(rows[10:])) for rows in first]
        self.splits = [pair for a, b in halves for pair in ((a, b), (b, a))]
        self.number = {tuple(test): i for i, (_, test) in enumerate(self.splits)}
        self.table, self.y = np.arange(20.0)[:, None], np.arange(20.0)

    def __call__(self, model, X, y):
        if model.alpha == 2:
            return 0.0
        return -1.0 if self.number[tuple(X[:, 0].astype(int))] == 0 else 0.2


def test_worse_is_reported_only_if_test_and_means_agree():
    """The first difference is -1, significantly below 0; the mean of all ten is 0.08."""
    case = Halves()
    models = {"higher mean": Ridge(alpha=1), "won the first": Ridge(alpha=2)}
    found = compare(models, case.table, case.y, cv=case.splits, scoring=case, baseline=None,
                    test="five_by_two_t")  # fmt: skip
    assert found.best == "higher mean"
    assert found.pairs[0].p_adjusted < 0.05
    assert not found.pairs[0].agrees
    assert "worse than it" not in str(found)
    assert "test and means disagree on the better one" in str(found)
    found = compare({"a": Ridge(alpha=1)}, case.table, case.y, cv=case.splits, scoring=case,
                    baseline=Ridge(alpha=2), test="five_by_two_t")  # fmt: skip
    assert "a is not significantly better than the baseline" in str(found)


def test_every_model_is_named_once():
    """Beside the best: one the same, one as good within noise, one surely worse."""
    found = compare({"a": GaussianNB(), "b": GaussianNB(), **MODELS}, NOISY, Y)
    lines = str(found).splitlines()[2:-1]
    named = [re.split(", | and ", line.rstrip(".").split(": ")[1]) for line in lines]
    assert named == [["b", "bayes"], ["scaled 5-nn", "stump"], ["baseline"]]
    assert lines[0].startswith("Practically the same, within 0.01: ")
    assert lines[1].startswith("Not significantly different from it")
    assert lines[2].startswith("Significantly worse than it (")


def test_a_small_significant_difference_is_practically_the_same():
    case = Halves()
    models = {"a": Ridge(alpha=1), "b": Ridge(alpha=2)}

    def trifle(model, X, y):
        return 0.5 - 0.001 * model.alpha

    found = compare(models, case.table, case.y, cv=case.splits, scoring=trifle, baseline=None)
    assert str(found).splitlines()[2:] == [
        (
            "Significantly worse than it, but practically the same, within 0.01 (corrected t, "
            "holm, level 0.05): b."
        )
    ]


def test_names_are_joined_with_commas_and_and():
    assert listed(["a"]) == "a"
    assert listed(["a", "b"]) == "a and b"
    assert listed(["a", "b", "c"]) == "a, b and c"
