"""Issues of the models of a study: failures, warnings, overfitting, and the baseline."""

import numpy as np

from gramian.evaluate.comparison.comparison import listed
from gramian.study.contents.checks import Issue
from gramian.study.findings.standings import Usefulness
from gramian.study.problem.checks import FEW_ROWS
from gramian.study.search.final_comparison import FinalComparison
from gramian.study.search.search import Search
from gramian.study.search.trial import Workbench

_WIDE_GAP = 0.2  # as a fraction of the training score's gain over the baseline


def issues_of_selection(
    too_many_rows: list[str], too_many_columns: list[str], late: list[str]
) -> list[Issue]:
    """Return issues about models that were not tried: too slow for the table, or too few evals."""
    found = []
    for what, names in (("rows", too_many_rows), ("columns", too_many_columns)):
        if names:
            text = f"The table has too many {what} for {listed(names)}."
            remedy = "To include it anyway, name it in models."
            found.append(Issue(f"too-many-{what}", "note", text, remedy))
    if late:
        text = f"Not tried, because evals is too small: {listed(late)}."
        found.append(Issue("models-untried", "warning", text, "Raise evals to try them."))
    return found


def issues_of_models(
    bench: Workbench,
    searched: Search,
    compared: FinalComparison,
    winner: str,
    useful: Usefulness | None,
) -> list[Issue]:
    """Return the issues found in the models."""
    return [
        *_failures(searched, compared),
        *_warnings(compared),
        *_gap(bench, compared, winner, useful),
        *_baseline(bench, winner, useful),
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


def _gap(
    bench: Workbench, compared: FinalComparison, winner: str, useful: Usefulness | None
) -> list[Issue]:
    main = bench.main
    train = float(np.mean(compared.train_scores[winner]))
    held_out = float(np.mean(compared.scores[winner][main.name]))
    gap = main.score(train) - main.score(held_out)
    gained = gap + (0.0 if useful is None else useful.gain)
    if not gap > max(_WIDE_GAP * gained, 1e-12):
        return []
    return [
        Issue(
            "gap",
            "note",
            f"{winner} has {main.name} {train:.4g} on training rows and {held_out:.4g} "
            "on validation rows.",
            "The learning curve shows whether more rows would narrow the gap.",
        )
    ]


def _baseline(bench: Workbench, winner: str, useful: Usefulness | None) -> list[Issue]:
    if useful is None or useful.by_metric:
        return []
    metric, rows = bench.main.name, len(bench.problem.rows)
    if useful.by_auc:
        return [
            Issue(
                "baseline-by-metric",
                "warning",
                f"{winner} is not significantly better than the baseline by {metric}, though it "
                f"ranks rows better than chance (AUC {useful.auc:.3g}).",
                ("" if metric == "log_loss" else "Select models by log_loss, or set costs. ")
                + "Use its probabilities, not its classes.",
            )
        ]
    if useful.gain > 0 and rows < FEW_ROWS:
        return [
            Issue(
                "baseline",
                "warning",
                f"{rows} rows are too few to show that {winner} is better than the baseline.",
                "Don't rely on it until you have more data.",
            )
        ]
    return [
        Issue(
            "baseline",
            "serious",
            f"{winner} is not significantly better than the baseline.",
            "Don't rely on it until you have more data or more informative columns.",
        )
    ]
