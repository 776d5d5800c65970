"""What is to be said of the models of a study: gaps, failures, warnings, and the baseline."""

import numpy as np
from numpy.typing import NDArray

from gramian.study.findings.verdict import listed
from gramian.study.problem.problem import Remark
from gramian.study.search.contest import Contest
from gramian.study.search.search import Search
from gramian.study.search.trial import BASELINE, Workbench

_MANY_TWINS = 0.02
_WIDE_GAP = 0.1  # of the score


def remarks_on_choice(
    everyone: list[str], fit_in_time: list[str], tried: list[str]
) -> list[Remark]:
    """Return which models take no part, and why."""
    slow = [name for name in everyone if name not in fit_in_time]
    late = [name for name in fit_in_time if name not in tried]
    found = []
    if slow:
        text = f"The table has too many rows for {listed(slow)}."
        found.append(Remark("too-many-rows", "note", text, "To wait for it, give it by --models."))
    if late:
        text = f"There are too few evaluations to try {listed(late)}."
        found.append(Remark("models-untried", "warning", text, "Allow more of them by --evals."))
    return found


def remarks_on_models(
    bench: Workbench, searched: Search, compared: Contest, winner: str, twins: NDArray[np.bool_]
) -> list[Remark]:
    """Return what was found of the models, in the order of the work."""
    return [
        *_failures(searched, compared),
        *_warnings(compared),
        *_twins(twins),
        *_gap(bench, compared, winner),
        *_baseline(bench, compared, winner),
    ]


def _failures(searched: Search, compared: Contest) -> list[Remark]:
    found = []
    for name, reasons in searched.failures.items():
        if name in searched.chosen:
            tried = searched.chosen[name].tried
            text = f"{name}: {len(reasons)} of {tried} settings failed, the first with {reasons[0]}"
            found.append(Remark("failed-settings", "note", text))
        else:
            text = f"{name} failed at every setting and is not compared: {reasons[0]}"
            found.append(Remark("failed-model", "warning", text))
    for name, reason in compared.failures.items():
        text = f"{name} failed on a split of the comparison and was left out: {reason}"
        found.append(Remark("failed-model", "warning", text))
    return found


def _warnings(compared: Contest) -> list[Remark]:
    return [
        Remark("fit-warning", "note", f"{name}: {chosen.warnings[0]}")
        for name, chosen in compared.chosen.items()
        if chosen.warnings
    ]


def _twins(twins: NDArray[np.bool_]) -> list[Remark]:
    if twins.mean() <= _MANY_TWINS:
        return []
    return [
        Remark(
            "twins",
            "warning",
            f"{int(twins.sum())} of {len(twins)} test rows also stand among the others, target "
            "included, so the test is easier than new rows will be.",
            "See the score without them; if equal rows belong together, give --groups.",
        )
    ]


def _gap(bench: Workbench, compared: Contest, winner: str) -> list[Remark]:
    main = bench.main
    train = float(np.mean(compared.train_scores[winner]))
    held_out = float(np.mean(compared.scores[winner][main.name]))
    gap = main.score(train) - main.score(held_out)
    if gap <= _WIDE_GAP * max(abs(train), abs(held_out), 1e-12):
        return []
    return [
        Remark(
            "gap",
            "note",
            f"{winner} has {main.name} {train:.4g} on rows it was fitted to and {held_out:.4g} "
            "on others.",
            "More rows may help; see the learning curve.",
        )
    ]


def _baseline(bench: Workbench, compared: Contest, winner: str) -> list[Remark]:
    comparison = compared.comparisons[bench.main.name]
    if BASELINE not in comparison.names or (
        comparison.names[0] != BASELINE
        and comparison.pair(winner, BASELINE).p_adjusted <= comparison.alpha
    ):
        return []
    return [
        Remark(
            "baseline",
            "serious",
            f"{winner} is not shown to beat the baseline.",
            "Collect more rows or columns that tell more; do not use the model as it is.",
        )
    ]
