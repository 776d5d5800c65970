"""Issues of the models of a study: failures, warnings, overfitting, and the baseline."""

import numpy as np
from numpy.typing import NDArray

from gramian.evaluate.comparison.comparison import listed
from gramian.study.problem.problem import Issue
from gramian.study.search.final_comparison import FinalComparison
from gramian.study.search.search import Search
from gramian.study.search.trial import BASELINE, Workbench

_MANY_TWINS = 0.02
_WIDE_GAP = 0.1  # of the score


def issues_of_selection(
    everyone: list[str], fit_in_time: list[str], tried: list[str]
) -> list[Issue]:
    """Return the models that are left out, and why."""
    slow = [name for name in everyone if name not in fit_in_time]
    late = [name for name in fit_in_time if name not in tried]
    found = []
    if slow:
        text = f"The table has too many rows for {listed(slow)}."
        found.append(
            Issue("too-many-rows", "note", text, "To include it anyway, name it in models.")
        )
    if late:
        text = f"Not tried, because evals is too small: {listed(late)}."
        found.append(Issue("models-untried", "warning", text, "Raise evals to try them."))
    return found


def issues_of_models(
    bench: Workbench,
    searched: Search,
    compared: FinalComparison,
    winner: str,
    twins: NDArray[np.bool_],
) -> list[Issue]:
    """Return the issues of the models, in the order of the steps."""
    return [
        *_failures(searched, compared),
        *_warnings(compared),
        *_twins(twins),
        *_gap(bench, compared, winner),
        *_baseline(bench, compared, winner),
    ]


def _failures(searched: Search, compared: FinalComparison) -> list[Issue]:
    found = []
    for name, reasons in searched.failures.items():
        if name in searched.chosen:
            tried = searched.chosen[name].tried
            text = f"{name}: {len(reasons)} of {tried} settings failed, the first with {reasons[0]}"
            found.append(Issue("failed-settings", "note", text))
        else:
            text = f"{name} failed at every setting and was left out: {reasons[0]}"
            found.append(Issue("failed-model", "warning", text))
    for name, reason in compared.failures.items():
        text = f"{name} failed on a split of the comparison and was left out: {reason}"
        found.append(Issue("failed-model", "warning", text))
    return found


def _warnings(compared: FinalComparison) -> list[Issue]:
    return [
        Issue("fit-warning", "note", f"{name}: {chosen.warnings[0]}")
        for name, chosen in compared.chosen.items()
        if chosen.warnings
    ]


def _twins(twins: NDArray[np.bool_]) -> list[Issue]:
    if twins.mean() <= _MANY_TWINS:
        return []
    return [
        Issue(
            "twins",
            "warning",
            f"{int(twins.sum())} of {len(twins)} test rows duplicate a training row, target "
            "included, so the test score is optimistic.",
            "See the score without duplicates; if duplicates belong together, set groups.",
        )
    ]


def _gap(bench: Workbench, compared: FinalComparison, winner: str) -> list[Issue]:
    main = bench.main
    train = float(np.mean(compared.train_scores[winner]))
    held_out = float(np.mean(compared.scores[winner][main.name]))
    gap = main.score(train) - main.score(held_out)
    if gap <= _WIDE_GAP * max(abs(train), abs(held_out), 1e-12):
        return []
    return [
        Issue(
            "gap",
            "note",
            f"{winner} has {main.name} {train:.4g} on training rows and {held_out:.4g} "
            "on validation rows.",
            "More rows may help; see the learning curve.",
        )
    ]


def _baseline(bench: Workbench, compared: FinalComparison, winner: str) -> list[Issue]:
    comparison = compared.comparisons[bench.main.name]
    if BASELINE not in comparison.names or (
        comparison.names[0] != BASELINE
        and comparison.pair(winner, BASELINE).p_adjusted <= comparison.alpha
    ):
        return []
    return [
        Issue(
            "baseline",
            "serious",
            f"{winner} is not significantly better than the baseline.",
            "Collect more rows or more informative columns; do not use this model.",
        )
    ]
