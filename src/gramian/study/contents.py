"""Everything the report says, as plain data: what a study hands to the page.

`describe_study` returns one dictionary of JSON values, kept as ``report.json`` in the run
directory, from which ``gramian report`` makes the page anew. Its keys, for a study with a target:

``run``
    The run card: ``name, task, reason, target, metric, seed, alpha, split, evaluations`` (made and
    planned), ``complete, winner, seconds, versions, settings`` (those given), and ``data`` (``name,
    format, sha256, rows, rows_used, columns, notes``).
``verdict``
    Three sentences.
``metrics``
    ``[{name, words, greater_is_better, is_main}]``, the main one first.
``columns``
    ``shown``: one object a column (``name, kind, reason, used, is_target, missing, distinct`` and
    ``histogram`` or ``levels``); ``left_out``: how many more there are.
``target``
    ``classes: [{label, rows}]`` or ``histogram: {edges, counts}``.
``checks``
    ``[{code, severity, text, remedy}]``; severity is ``note``, ``warning`` or ``serious``.
``leaderboard``
    Best first: ``name, params, tried, is_baseline, is_winner, warnings, groups`` (letters; models
    that share one cannot be told apart), ``p_best`` (adjusted), ``rank`` (mean over splits),
    ``fit_seconds, predict_seconds``, ``train`` (mean main metric on training rows) and ``metrics``:
    for each metric ``mean, low, high, folds`` in its own direction and, of the comparison by that
    metric, ``rank, groups, p_best``.
``comparison``
    ``test, adjust, alpha, splits, test_over_train, rope, groups`` (lists of names),
    ``critical_difference`` and ``pairs``: ``first, second, difference, low, high, p, p_adjusted,
    better, same, worse`` (the last three are posterior probabilities).
``models``
    By name, out-of-fold: for classes ``confusion`` (rows are the truth), ``histogram`` of
    confidence and ``curves``, one a class (``class, auc, auc_low, auc_high, average_precision, roc,
    roc_band, precision_recall, precision_recall_band, calibration, thresholds``); for numbers
    ``dots, residuals, deciles``.
``test``
    ``rows, scores`` (by metric ``value, low, high, method``), ``baseline`` (by metric), ``twins``
    (test rows that also stand among the others) and ``without_twins``; ``confusion`` for classes.
``learning_curve``
    ``metric, points: [{rows, train, validation}]``, a value for each split.
``importances``, ``effects``, ``coefficients``, ``structure``
    ``[{column, mean, low, high}]``; ``[{column, kind, values, means}]``; the linear model's
    ``columns, outputs, values, intercept, left_out`` or None; the tree, see
    `gramian.study.tree_rules`, or None.
``worst_rows``, ``slices``
    See `gramian.study.errors_of`.
``costs``
    ``table, reject`` or None.
``load``
    ``python, command``: how to use the model.

Without a target, ``clusters`` stands in the place of everything from ``metrics`` to ``costs``
but ``columns`` and ``checks``; see `gramian.study.grouping`.
"""

import platform
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

import gramian
from gramian.data.reading import Table
from gramian.evaluate.comparison import Comparison
from gramian.evaluate.rank_comparison import critical_difference
from gramian.evaluate.rows import take
from gramian.study.contest import Contest, out_of_fold
from gramian.study.curves import describe_classes, describe_numbers
from gramian.study.errors_of import slices, worst_rows
from gramian.study.explaining import coefficients, effect, importances, sample_rows
from gramian.study.journal import Journal
from gramian.study.metrics import Predicted
from gramian.study.problem import Problem, Remark
from gramian.study.profile import describe_columns, describe_target
from gramian.study.settings import Settings
from gramian.study.splits import Splits
from gramian.study.testing import test_scores
from gramian.study.tree_rules import tree_rules
from gramian.study.trial import BASELINE, Candidate, Workbench
from gramian.study.verdict import verdict

_MOST_COLUMNS, _MOST_EFFECTS = 40, 6  # whose importance is measured, whose effect is drawn
_FEWER_COLUMNS, _FEWER_EFFECTS = 10, 3  # of a table so wide that each prediction takes long
_WIDE = 1000
_MANY_TWINS = 0.02


def describe_study(
    *,
    bench: Workbench,
    splits: Splits,
    source: Table,
    settings: Settings,
    journal: Journal,
    compared: Contest,
    winner: str,
    pipeline: Pipeline,
    twins: NDArray[np.bool_],
    curve: dict[str, Any],
    evaluations: int,
    planned: int,
    complete: bool,
    seconds: float,
) -> dict[str, Any]:
    """Return everything the report says."""
    problem, main = bench.problem, bench.main
    comparison = compared.comparisons[main.name]
    said = predicted_by(pipeline, problem, splits.test)
    tested = _test(bench, splits, settings, said, twins)
    insight = _insight(bench, splits, settings, pipeline, said)
    remarks = [*problem.remarks, *_remarks(bench, compared, winner, twins)]
    return {
        "format": 1,
        "run": {
            **run_card(problem, source, settings, seconds),
            "metric": main.name,
            "split": splits.words,
            "evaluations": {"made": evaluations, "planned": planned},
            "complete": complete,
            "winner": winner,
        },
        "verdict": verdict(
            winner, main, tested["scores"], len(splits.test), comparison, settings.alpha
        ),
        "metrics": [
            {
                "name": m.name,
                "words": m.words,
                "greater_is_better": m.greater_is_better,
                "is_main": m is main,
            }
            for m in sorted(bench.metrics, key=lambda m: m is not main)
        ],
        "columns": describe_columns(problem, settings.target),
        "target": describe_target(problem),
        "checks": [asdict(r) for r in remarks],
        "leaderboard": _leaderboard(bench, compared, comparison, winner),
        "comparison": _comparison(comparison, splits),
        "models": _models(bench, splits, journal, compared),
        "test": tested,
        "learning_curve": curve,
        **insight,
        "costs": None
        if settings.costs is None and settings.reject is None
        else {"table": settings.costs, "reject": settings.reject},
        "load": how_to_load(),
    }


def run_card(problem: Problem, source: Table, settings: Settings, seconds: float) -> dict[str, Any]:
    """Return the parts of the run card that every task has."""
    return {
        "name": source.name,
        "task": problem.task,
        "reason": problem.reason,
        "target": settings.target,
        "seed": settings.seed,
        "alpha": settings.alpha,
        "seconds": seconds,
        "settings": settings.plain(),
        "data": {
            "name": source.name,
            "format": source.format,
            "sha256": source.sha256,
            "rows": problem.rows_given,
            "rows_used": len(problem.rows),
            "columns": len(problem.columns),
            "notes": source.notes,
        },
        "versions": {
            "gramian": gramian.__version__,
            "python": platform.python_version(),
            **{name: version(name) for name in ("numpy", "scipy", "scikit-learn")},
        },
    }


def how_to_load() -> dict[str, str]:
    """Return the lines that use the model."""
    return {
        "python": 'import gramian\n\nmodel = gramian.load("model.gram")\n'
        'table = gramian.read_table("new.csv")\nmodel.predict(table.frame)',
        "command": "gramian predict model.gram new.csv",
    }


def predicted_by(pipeline: Any, problem: Problem, rows: NDArray[Any]) -> Predicted:
    """Return what the fitted pipeline says of rows, as codes of all classes or numbers."""
    frame = take(problem.frame, rows)
    if problem.task == "regression":
        return Predicted(np.asarray(pipeline.predict(frame), dtype=np.float64), None)
    values = np.searchsorted(problem.classes, pipeline.predict(frame))
    if not hasattr(pipeline[-1], "predict_proba"):
        return Predicted(values, None)
    proba = np.zeros((len(rows), len(problem.classes)))
    places = np.searchsorted(problem.classes, pipeline[-1].classes_)
    proba[:, places] = pipeline.predict_proba(frame)
    return Predicted(values, proba)


# --- the leaderboard ---------------------------------------------------------------------------


def _leaderboard(
    bench: Workbench, compared: Contest, comparison: Comparison, winner: str
) -> list[dict[str, Any]]:
    ranks = dict(zip(comparison.names, comparison.mean_ranks.tolist(), strict=True))
    rows = []
    for name in comparison.names:
        chosen = compared.chosen[name]
        rows.append(
            {
                "name": name,
                "params": chosen.candidate.params,
                "tried": chosen.tried,
                "is_baseline": name == BASELINE,
                "is_winner": name == winner,
                "warnings": chosen.warnings,
                "rank": ranks[name],
                **_standing(comparison, name),
                "train": float(np.mean(compared.train_scores[name])),
                "metrics": {
                    m.name: _metric_row(m, compared.comparisons[m.name], name)
                    for m in bench.metrics
                    if m.name in compared.comparisons and name in compared.comparisons[m.name].names
                },
                "fit_seconds": compared.fit_seconds[name],
                "predict_seconds": compared.predict_seconds[name],
            }
        )
    return rows


def _metric_row(metric: Any, comparison: Comparison, name: str) -> dict[str, Any]:
    at = comparison.names.index(name)
    interval = comparison.intervals[at]
    ends = sorted([metric.score(interval.low), metric.score(interval.high)])
    return {
        "mean": metric.score(interval.estimate),
        "low": _number(ends[0]),
        "high": _number(ends[1]),
        "folds": [metric.score(v) for v in comparison.scores[at].tolist()],
        "rank": float(comparison.mean_ranks[at]),
        **_standing(comparison, name),
    }


def _standing(comparison: Comparison, name: str) -> dict[str, Any]:
    """Return which groups of indistinguishable models one belongs to, and its p-value."""
    return {
        "groups": [g for g, group in enumerate(comparison.groups) if name in group],
        "p_best": 1.0
        if name == comparison.best
        else comparison.pair(comparison.best, name).p_adjusted,
    }


def _comparison(comparison: Comparison, splits: Splits) -> dict[str, Any]:
    k = len(comparison.names)
    return {
        "test": "corrected resampled t test",
        "adjust": comparison.adjust,
        "alpha": comparison.alpha,
        "splits": comparison.scores.shape[1],
        "test_over_train": splits.test_over_train,
        "rope": comparison.pairs[0].posterior.rope if comparison.pairs else None,
        "groups": [list(group) for group in comparison.groups],
        "critical_difference": critical_difference(
            k, comparison.scores.shape[1], alpha=comparison.alpha
        ),
        "pairs": [
            {
                "first": pair.first,
                "second": pair.second,
                "difference": pair.verdict.estimate,
                "low": _number(pair.verdict.interval[0]) if pair.verdict.interval else None,
                "high": _number(pair.verdict.interval[1]) if pair.verdict.interval else None,
                "p": pair.verdict.p_value,
                "p_adjusted": pair.p_adjusted,
                "better": pair.posterior.better,
                "same": pair.posterior.same,
                "worse": pair.posterior.worse,
            }
            for pair in comparison.pairs
        ],
    }


def _models(
    bench: Workbench, splits: Splits, journal: Journal, compared: Contest
) -> dict[str, Any]:
    problem = bench.problem
    folds = [len(rows) for _, rows in splits.comparing[: splits.once]]
    found = {}
    for name in compared.chosen:
        said, rows = out_of_fold(journal, splits, name)
        y = problem.y[rows]
        if problem.task == "classification":
            labels = [str(c) for c in problem.classes.tolist()]
            found[name] = describe_classes(y, said, folds, labels)
        else:
            found[name] = describe_numbers(y, said, bench.seed)
    return found


# --- the test rows -----------------------------------------------------------------------------


def _test(
    bench: Workbench,
    splits: Splits,
    settings: Settings,
    said: Predicted,
    twins: NDArray[np.bool_],
) -> dict[str, Any]:
    problem, rows = bench.problem, splits.test
    y = problem.y[rows]
    weights = None if problem.weights is None else problem.weights[rows]
    asked: dict[str, Any] = {"alpha": settings.alpha, "seed": settings.seed}
    baseline = bench.run(Candidate(BASELINE, {}), (splits.development, rows))[0].scores
    found: dict[str, Any] = {
        "rows": len(rows),
        "scores": test_scores(bench.metrics, y, said, weights, **asked),
        "baseline": baseline,
        "twins": int(twins.sum()),
        "without_twins": None,
    }
    if 0 < twins.sum() < len(rows) - 1:
        kept = ~twins
        rest = Predicted(said.values[kept], None if said.proba is None else said.proba[kept])
        found["without_twins"] = test_scores(
            bench.metrics, y[kept], rest, None if weights is None else weights[kept], **asked
        )
    if problem.task == "classification":
        K = len(problem.classes)
        confusion = np.zeros((K, K), dtype=np.int64)
        np.add.at(confusion, (y, said.values), 1)
        found["confusion"] = confusion.tolist()
    return _finite(found)  # type: ignore[no-any-return]


def _insight(
    bench: Workbench, splits: Splits, settings: Settings, pipeline: Pipeline, said: Predicted
) -> dict[str, Any]:
    problem, main = bench.problem, bench.main
    rows = splits.test[sample_rows(len(splits.test), settings.seed)]
    if len(rows) < 50:  # few test rows say little: use the others as well
        rows = splits.development[sample_rows(len(splits.development), settings.seed)]
    frame, y = take(problem.frame, rows), problem.y[rows]
    classify = problem.task == "classification"

    def predict(table: Any) -> NDArray[np.float64]:
        if classify and hasattr(pipeline[-1], "predict_proba"):
            return np.asarray(pipeline.predict_proba(table), dtype=np.float64)
        values = pipeline.predict(table)
        return np.asarray(
            np.searchsorted(problem.classes, values) if classify else values, dtype=np.float64
        )

    def score(output: NDArray[Any]) -> float:
        if output.ndim == 2:
            places = np.searchsorted(problem.classes, pipeline[-1].classes_)
            proba = np.zeros((len(output), len(problem.classes)))
            proba[:, places] = output
            found = Predicted(places[output.argmax(axis=1)], proba)
        else:
            found = Predicted(output.astype(np.intp) if classify else output, None)
        return main.score(float(main.function(y, found, None)))

    wide = len(problem.kinds) > _WIDE
    most, most_drawn = (_FEWER_COLUMNS, _FEWER_EFFECTS) if wide else (_MOST_COLUMNS, _MOST_EFFECTS)
    columns = _telling_columns(pipeline, problem)[:most]
    ranked = importances(predict, score, frame, columns, alpha=settings.alpha, seed=settings.seed)
    best = [item["column"] for item in ranked]
    drawn = [c for c in best if problem.kinds[c] in ("number", "category")][:most_drawn]
    classes = [str(c) for c in problem.classes.tolist()]
    return {
        "importances": _finite(ranked),
        "effects": [effect(predict, frame, name, problem.kinds[name]) for name in drawn],
        "coefficients": coefficients(pipeline, classes),
        "structure": tree_rules(pipeline, classes),
        "worst_rows": worst_rows(problem, splits.test, said, best),
        "slices": _finite(slices(problem, splits.test, said, best[:20], settings.alpha)),
    }


def _telling_columns(pipeline: Pipeline, problem: Problem) -> list[str]:
    """Return the columns, those with the largest coefficients or importances first."""
    names, model = list(problem.kinds), pipeline[-1]
    weight = getattr(model, "feature_importances_", None)
    if weight is None and hasattr(model, "coef_"):
        weight = np.abs(np.atleast_2d(model.coef_)).max(axis=0)
    made = pipeline[0].get_sources()
    if weight is None or len(weight) != len(made) or len(names) <= _MOST_COLUMNS:
        return names
    strength = dict.fromkeys(names, 0.0)
    for source, value in zip(made, np.asarray(weight).tolist(), strict=True):
        strength[source] = max(strength[source], value)
    return sorted(names, key=lambda n: -strength[n])


# --- remarks on the models ---------------------------------------------------------------------


def _remarks(
    bench: Workbench, compared: Contest, winner: str, twins: NDArray[np.bool_]
) -> list[Remark]:
    found = []
    if twins.mean() > _MANY_TWINS:
        found.append(
            Remark(
                "twins",
                "warning",
                f"{int(twins.sum())} of {len(twins)} test rows also stand among the others, target "
                "included, so the test is easier than new rows will be.",
                "See the score without them; if equal rows belong together, give --groups.",
            )
        )
    main = bench.main
    train = float(np.mean(compared.train_scores[winner]))
    held_out = float(np.mean(compared.scores[winner][main.name]))
    gap = main.score(train) - main.score(held_out)
    scale = max(abs(train), abs(held_out), 1e-12)
    if gap > 0.1 * scale:
        found.append(
            Remark(
                "gap",
                "note",
                f"{winner} has {main.name} {train:.4g} on rows it was fitted to and {held_out:.4g} "
                "on others.",
                "More rows may help; see the learning curve.",
            )
        )
    for name, chosen in compared.chosen.items():
        if chosen.warnings:
            found.append(Remark("fit-warning", "note", f"{name}: {chosen.warnings[0]}"))
    comparison = compared.comparisons[main.name]
    if BASELINE in comparison.names and (
        comparison.names[0] == BASELINE
        or comparison.pair(winner, BASELINE).p_adjusted > comparison.alpha
    ):
        found.append(
            Remark(
                "baseline",
                "serious",
                f"{winner} is not shown to beat the baseline.",
                "Collect more rows or columns that tell more; do not use the model as it is.",
            )
        )
    return found


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _finite(value: Any) -> Any:
    """Replace what JSON cannot hold by None, everywhere inside."""
    if isinstance(value, dict):
        return {k: _finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(v) for v in value]
    if isinstance(value, float):
        return _number(value)
    return value
