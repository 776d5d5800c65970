"""Scores that are too good: test rows that appear in training, and nearly perfect models."""

import numpy as np

from gramian.evaluate.comparison.comparison import listed
from gramian.study.contents.checks import Issue
from gramian.study.contents.held_out import HeldOutResult
from gramian.study.problem.leaks import SUSPECT, Leaks
from gramian.study.search.final_comparison import FinalComparison
from gramian.study.search.trial import BASELINE, Workbench

_MANY_DUPLICATES = 0.02
_NEARLY_PERFECT = 0.98  # fraction of the baseline's errors (or variance) that is avoided
_LARGE_DROP = 0.1  # drop of the skill when copies are removed from training


def issues_of_scores(
    bench: Workbench,
    compared: FinalComparison,
    winner: str,
    tested: HeldOutResult,
    leaks: Leaks,
) -> list[Issue]:
    """Return the issues that make the scores doubtful."""
    return [*_duplicates(bench, tested), *_nearly_perfect(bench, compared, winner, leaks)]


def _duplicates(bench: Workbench, tested: HeldOutResult) -> list[Issue]:
    count, rows = tested.duplicates, tested.rows
    if count <= _MANY_DUPLICATES * rows:
        return []
    verb = "appears" if count == 1 else "appear"
    text = f"{count:,} of {rows:,} test rows also {verb} in the training data, target included"
    main = bench.main
    found, alone = tested.scores.get(main.name), tested.without_copies
    remedy = "Remove the copies, or keep them together with groups."
    if found is None or alone is None or main.name not in alone:
        return [Issue("duplicate-rows", "warning", f"{text}.", remedy)]
    scores = f"{main.name} is {found.value:.4g}, and {alone[main.name]:.4g} if fitted without them"
    return [
        Issue(
            "duplicate-rows",
            "serious" if _score_drops(bench, tested, alone) else "warning",
            f"{text}: {scores}.",
            remedy,
        )
    ]


def _score_drops(bench: Workbench, tested: HeldOutResult, alone: dict[str, float]) -> bool:
    """Return whether, without copies, the score leaves its interval and much skill is lost."""
    main = bench.main
    found = tested.scores[main.name]
    ends = [main.score(v) for v in (found.low, found.high) if v is not None]
    outside = not ends or main.score(alone[main.name]) < min(ends)
    plain = "accuracy" if bench.problem.task == "classification" else "r2"
    before = _skill(plain, tested.scores[plain].value, tested.baseline[plain])
    after = _skill(plain, alone[plain], tested.baseline[plain])
    return outside and before - after > _LARGE_DROP


def _nearly_perfect(
    bench: Workbench, compared: FinalComparison, winner: str, leaks: Leaks
) -> list[Issue]:
    """Return a note on a score that is too good; serious if one column explains most of it."""
    plain = "accuracy" if bench.problem.task == "classification" else "r2"
    scores = (float(np.mean(compared.scores[name][plain])) for name in (winner, BASELINE))
    value, base = scores
    if _skill(plain, value, base) < _NEARLY_PERFECT:
        return []
    score = f"{100 * value:.4g}% correct" if plain == "accuracy" else f"R2 = {value:.4g}"
    text = f"{winner} is nearly perfect on validation rows ({score})"
    issue_texts = " ".join(issue.text for issue in leaks.issues if issue.severity == "serious")
    names = [n for n, s in leaks.skills.items() if s >= SUSPECT and repr(n) not in issue_texts][:6]
    if not names:
        remedy = "Check that every column is known at prediction time."
        return [Issue("nearly-perfect", "note", f"{text}.", remedy)]
    verb = "explains" if len(names) == 1 else "explain"
    return [
        Issue(
            "nearly-perfect",
            "serious",
            f"{text}, and {listed(list(map(repr, names)))} alone {verb} most of it.",
            "Will you know it at prediction time? If not, drop it.",
        )
    ]


def _skill(metric: str, value: float, base: float) -> float:
    """Return the proportion of the baseline's errors that are avoided; r2 is one already."""
    return value if metric == "r2" or base >= 1 else 1 - (1 - value) / (1 - base)
