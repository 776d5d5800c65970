"""The learning curve of the winner: scores against the number of training rows."""

from typing import Any

import numpy as np

from gramian.base.randomness import stream
from gramian.study.contents.learning_curve import LearningCurve, LearningPoint
from gramian.study.journal import Journal
from gramian.study.problem.splits import Split, Splits
from gramian.study.search.trial import Candidate, Workbench

_SHARES = (0.1, 0.2, 0.4, 0.7, 1.0)
_MOST_SPLITS = 3
_MANY_ROWS = 20_000


def learning_curve(
    bench: Workbench, splits: Splits, candidate: Candidate, journal: Journal
) -> LearningCurve:
    """Return training and validation scores for growing parts of the training rows."""
    used = splits.comparing[: 1 if len(splits.development) > _MANY_ROWS else _MOST_SPLITS]
    points = []
    for share in _SHARES:
        key = f"learn/{candidate.family}/{share}"
        found = journal.once(key, lambda s=share: _point(bench, candidate, used, s))  # type: ignore[misc]
        if found is not None:
            train, validation = tuple(found["train"]), tuple(found["validation"])
            points.append(LearningPoint(found["rows"], train, validation))
    return LearningCurve(bench.main.name, tuple(points))


def _point(
    bench: Workbench, candidate: Candidate, used: list[Split], share: float
) -> dict[str, Any] | None:
    train, validation = [], []
    rows = max(2, round(share * len(used[0][0])))
    for number, (all_rows, held_out) in enumerate(used):
        order = stream(bench.seed, 100 + number).permutation(len(all_rows))
        part = np.sort(all_rows[order[: max(2, round(share * len(all_rows)))]])
        try:
            trial, _ = bench.run(candidate, (part, held_out))
        except (ValueError, ArithmeticError, np.linalg.LinAlgError):
            return None  # too few rows for this model, or one class only
        if bench.main.name not in trial.scores:
            return None
        train.append(trial.train_score)
        validation.append(trial.scores[bench.main.name])
    return {"rows": rows, "train": train, "validation": validation}
