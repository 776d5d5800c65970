"""The final comparison: the best setting of every model on the same new splits."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramian.base.errors import DataError
from gramian.evaluate.comparison.compare_scores import compare_scores
from gramian.evaluate.comparison.comparison import Comparison
from gramian.study.journal import Arrays, Journal
from gramian.study.problem.metrics import Metric, Predicted
from gramian.study.problem.splits import Split, Splits
from gramian.study.progress import Clock, Counter
from gramian.study.search.search import Chosen
from gramian.study.search.trial import BASELINE, Candidate, Workbench


@dataclass(frozen=True, eq=False)
class FinalComparison:
    """The scores of every model on every split, and the comparisons by each metric.

    Attributes
    ----------
    chosen
        The models' settings by family, including the baseline.
    scores
        ``scores[family][metric]``: one value for each split.
    train_scores
        Values of the main metric on the training rows, one for each split.
    fit_seconds, predict_seconds
        Mean over the splits.
    comparisons
        Comparisons by metric, of the models it applies to.
    failures
        Errors of models that failed on a split; they are left out.
    complete
        Whether there was time for every family.
    """

    chosen: dict[str, Chosen]
    scores: dict[str, dict[str, list[float]]]
    train_scores: dict[str, list[float]]
    fit_seconds: dict[str, float]
    predict_seconds: dict[str, float]
    comparisons: dict[str, Comparison]
    failures: dict[str, str]
    complete: bool


def compare_chosen(
    bench: Workbench,
    splits: Splits,
    chosen: dict[str, Chosen],
    alpha: float,
    journal: Journal,
    clock: Clock,
    counter: Counter,
) -> FinalComparison:
    """Run the best setting of every model on the comparison splits, best of the search first."""
    everyone = {BASELINE: Chosen(Candidate(BASELINE, {}), float("nan"), 1), **chosen}
    records: dict[str, list[dict[str, Any]]] = {}
    failures: dict[str, str] = {}
    out_of_time = False
    for place, (family, one) in enumerate(everyone.items()):
        keys = [f"compare/{family}/{s}" for s in range(len(splits.comparing))]
        # The baseline and the best of the search are compared even after the time limit.
        if place > 1 and ("compared" in journal or clock.is_over()) and keys[-1] not in journal:
            out_of_time = True
            continue
        found = []
        for s, (key, split) in enumerate(zip(keys, splits.comparing, strict=True)):
            keep = s < splits.once
            found.append(
                journal.once_with_arrays(
                    key,
                    lambda c=one, p=split, k=keep: _evaluate(bench, c.candidate, p, k),  # type: ignore[misc]
                )
            )
            counter.step("compare", family)
        errors = [record["error"] for record in found if "error" in record]
        if errors:
            failures[family] = errors[0]
        else:
            records[family] = found
    if not records.keys() - {BASELINE}:
        raise DataError("no model could be fitted: " + "; ".join(failures.values()))
    all_done = journal.once("compared", lambda: {"all": not out_of_time})["all"]
    scores = {
        family: {
            name: [r["scores"][name] for r in found]
            for name in found[0]["scores"]
            if all(name in r["scores"] for r in found)
        }
        for family, found in records.items()
    }
    return FinalComparison(
        chosen={family: everyone[family] for family in records},
        scores=scores,
        train_scores={f: [r["train_score"] for r in found] for f, found in records.items()},
        fit_seconds={f: float(np.mean([r["seconds"][0] for r in x])) for f, x in records.items()},
        predict_seconds={
            f: float(np.mean([r["seconds"][1] for r in x])) for f, x in records.items()
        },
        comparisons=_comparisons(bench, splits, scores, alpha),
        failures=failures,
        complete=all_done,
    )


def out_of_fold(journal: Journal, splits: Splits, family: str) -> tuple[Predicted, NDArray[Any]]:
    """Return the out-of-fold predictions of a model, and the rows predicted."""
    parts = [journal.arrays(f"compare/{family}/{s}") for s in range(splits.once)]
    proba = np.concatenate([p["proba"] for p in parts]) if "proba" in parts[0] else None
    predicted = Predicted(np.concatenate([p["values"] for p in parts]), proba)
    return predicted, np.concatenate([rows for _, rows in splits.comparing[: splits.once]])


def _evaluate(
    bench: Workbench, candidate: Candidate, split: Split, keep: bool
) -> tuple[dict[str, Any], Arrays]:
    try:
        trial, predicted = bench.run(candidate, split)
    except (ValueError, ArithmeticError, MemoryError, np.linalg.LinAlgError) as error:
        return {"error": f"{type(error).__name__}: {error}"}, {}
    arrays: Arrays = {}
    if keep:
        arrays["values"] = predicted.values
        if predicted.proba is not None:
            arrays["proba"] = predicted.proba.astype(np.float32)
    return {
        "scores": trial.scores,
        "train_score": trial.train_score,
        "seconds": trial.seconds,
        "warnings": trial.warnings,
    }, arrays


def _comparisons(
    bench: Workbench,
    splits: Splits,
    scores: dict[str, dict[str, list[float]]],
    alpha: float,
) -> dict[str, Comparison]:
    tested = len(np.unique(np.concatenate([rows for _, rows in splits.comparing])))
    return {
        metric.name: compare_scores(
            {
                family: [metric.score(v) for v in found[metric.name]]
                for family, found in scores.items()
                if metric.name in found
            },
            test_over_train=splits.test_over_train,
            scoring=metric.scorer,
            classify=bench.problem.task == "classification",
            tested_rows=tested,
            alpha=alpha,
            rope=_rope(metric, bench),
            baseline=BASELINE,
        )
        for metric in bench.metrics
        if sum(metric.name in found for found in scores.values()) > 1
    }


def _rope(metric: Metric, bench: Workbench) -> float:
    """Return the region of practical equivalence: 0.01 in units of the metric.

    The unit is the target's standard deviation for errors, and the largest cost for costs.
    """
    if metric.name in ("rmse", "mae"):
        return 0.01 * float(bench.problem.y.std())
    if metric.name == "cost" and bench.rule is not None:
        return 0.01 * float(np.ptp(bench.rule.costs)) or 0.01
    return 0.01
