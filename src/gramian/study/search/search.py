"""The search: evaluation i of a study depends only on the seed and i.

Models alternate: with F of them, evaluation i tries setting i // F of model i % F. So a longer
search only adds evaluations to a shorter one, and no evaluation depends on another.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs

from gramian.base.catalogue import Entry
from gramian.base.errors import DataError
from gramian.study.journal import Journal
from gramian.study.problem.metrics import tie_breaker
from gramian.study.problem.splits import Splits
from gramian.study.progress import Clock, Counter
from gramian.study.search.spaces import settings_at
from gramian.study.search.trial import Candidate, Trial, Workbench

TUNING_SHARE = 0.6  # fraction of the time limit; the rest is for the comparison


@dataclass(frozen=True)
class Chosen:
    """The best setting found for one model."""

    candidate: Candidate
    score: float
    tried: int
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Search:
    """The result of the search.

    Attributes
    ----------
    chosen
        The best setting of each model, the best model first.
    made, planned
        Settings tried, and settings to try.
    failures
        The errors of failed settings, by family.
    complete
        Whether there was time for all of them.
    """

    chosen: dict[str, Chosen]
    made: int
    planned: int
    failures: dict[str, list[str]]
    complete: bool


def default_evaluations(
    n_families: int, rows: int, columns: int, *, folds: int, n_classes: int = 0
) -> int:
    """Return the number of settings to try, from task and shape: fewer for larger tables.

    Examples
    --------
    >>> default_evaluations(6, 150, 4, folds=10), default_evaluations(6, 48_000, 50, folds=1)
    (96, 30)
    """
    cells = rows * columns * folds  # cells processed by one evaluation
    work = cells * max(1.0, n_classes / _FEW_CLASSES)  # boosting grows a tree for each class
    each = next((n for limit, n in _EVALUATIONS if work <= limit), _FEWEST)
    return n_families * each


# Maximum number of cells, and settings of each family: five minutes on two cores for 60 000 rows of
# 50 columns, less for smaller tables.
_EVALUATIONS = ((600_000, 16), (1_500_000, 8), (5_000_000, 5), (15_000_000, 4))
_FEWEST = 3
_FEW_CLASSES = 4


def search(
    bench: Workbench,
    splits: Splits,
    families: list[Entry],
    n_evaluations: int,
    journal: Journal,
    clock: Clock,
    counter: Counter,
) -> Search:
    """Try settings of every model and choose the best of each."""
    records: list[tuple[Candidate, dict[str, Any]]] = []
    stopped = False
    for i in range(n_evaluations):
        key = f"tune/{i}"
        if key not in journal and ("tuned" in journal or (i and clock.is_over(TUNING_SHARE))):
            stopped = True
            break
        family = families[i % len(families)].name
        space = bench.space(family)
        candidate = Candidate(family, settings_at(space, i // len(families), bench.seed))
        if i >= len(families) and not space.ranges:
            continue  # it has only one setting, already tried
        again = next((r for c, r in records if c == candidate), None)
        if again is None:
            record = journal.once(key, lambda c=candidate: _evaluate(bench, splits, c))  # type: ignore[misc]
        else:  # few integers and choices: the same setting was already tried
            record = journal.once(key, lambda r=again: {**r, "seconds": 0.0})  # type: ignore[misc]
        records.append((candidate, record))
        counter.step("tune", family)
    done = journal.once("tuned", lambda: {"made": len(records), "all": not stopped})
    failures: dict[str, list[str]] = {}
    for candidate, record in records:
        if "error" in record:
            failures.setdefault(candidate.family, []).append(record["error"])
    return Search(_best(bench, records), done["made"], n_evaluations, failures, done["all"])


def _evaluate(bench: Workbench, splits: Splits, candidate: Candidate) -> dict[str, Any]:
    try:
        trials = _trials(bench, splits, candidate)
    except (ValueError, ArithmeticError, MemoryError, np.linalg.LinAlgError) as error:
        return {"error": f"{type(error).__name__}: {error}", "seconds": 0.0}
    names = set.intersection(*(set(trial.scores) for trial in trials))
    return {
        "scores": {n: [t.scores[n] for t in trials] for n in sorted(names)},
        "seconds": sum(sum(trial.seconds) for trial in trials),
        "warnings": sorted({w for trial in trials for w in trial.warnings}),
    }


def _trials(bench: Workbench, splits: Splits, candidate: Candidate) -> list[Trial]:
    """Evaluate a candidate on every fold, in parallel if joblib is configured, as on a cluster."""
    if effective_n_jobs(None) == 1:
        return [_trial(bench, candidate, split) for split in splits.tuning]
    work = delayed(_trial)
    found: list[Trial] = Parallel()(work(bench, candidate, split) for split in splits.tuning)
    return found


def _trial(bench: Workbench, candidate: Candidate, split: Any) -> Trial:
    return bench.run(candidate, split, on_train=False)[0]


def _best(bench: Workbench, records: list[tuple[Candidate, dict[str, Any]]]) -> dict[str, Chosen]:
    best: dict[str, tuple[tuple[float, float], Chosen]] = {}
    tried: dict[str, int] = {}
    second = tie_breaker("classification" if len(bench.problem.classes) else "regression")
    for candidate, record in records:
        tried[candidate.family] = tried.get(candidate.family, 0) + 1
        values = record.get("scores", {}).get(bench.main.name)
        if values is None:
            continue
        other = record["scores"].get(second.name)
        key = (
            bench.main.score(float(np.mean(values))),
            -np.inf if other is None else second.score(float(np.mean(other))),
        )
        if candidate.family not in best or key > best[candidate.family][0]:
            chosen = Chosen(candidate, float(np.mean(values)), 0, record["warnings"])
            best[candidate.family] = key, chosen
    if not best:
        reasons = sorted({r["error"] for _, r in records if "error" in r})
        if not reasons:
            raise DataError(
                f"none of the models can be scored by metric {bench.main.name!r}, which needs "
                "probabilities; choose another metric, or other models."
            )
        raise DataError("no model could be fitted: " + "; ".join(reasons[:3]))
    ranked = sorted(best.values(), key=lambda item: item[0], reverse=True)
    return {
        chosen.candidate.family: Chosen(
            chosen.candidate, chosen.score, tried[chosen.candidate.family], chosen.warnings
        )
        for _, chosen in ranked
    }
