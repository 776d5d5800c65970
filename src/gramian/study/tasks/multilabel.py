"""Several labels per row: multi-label learners compared by cross-validation, and tested.

The rows are split by iterative stratification, so that every part has rows of every label. The
learners and a baseline are compared on five folds of the development rows by the corrected
resampled t test. The baseline predicts the most frequent labels, as many as rows have on average.
The best learner is fitted to all development rows and evaluated on the test rows, with bootstrap
intervals, label by label.
"""

from dataclasses import replace
from time import perf_counter
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.metrics import accuracy_score, f1_score
from sklearn.pipeline import Pipeline

from gramian.base.errors import DataError, ParameterError
from gramian.base.models import Model
from gramian.base.rows.taking import take
from gramian.data.columns import check_frame
from gramian.data.preparer import TablePreparer
from gramian.data.reading import LoadedTable
from gramian.evaluate.comparison.compare_scores import compare_scores
from gramian.evaluate.comparison.comparison import Comparison, listed
from gramian.evaluate.curves.multilabel_report import MultiLabelReport, multilabel_report
from gramian.evaluate.splitters.iterative_stratification import IterativeStratifiedKFold
from gramian.linear_model import LogisticRegression
from gramian.multilabel import HOMER, BinaryRelevance, EnsembleOfClassifierChains, MLkNN, RAkELo
from gramian.multioutput import ClassifierChain
from gramian.study.announcement import Announce, announcement
from gramian.study.contents import LabelContents
from gramian.study.contents.labelling import Labelling, LabelMetric, LabelRow, LearnerRow
from gramian.study.contents.run_card import Evaluations
from gramian.study.contents.values import defined
from gramian.study.findings.contents import how_to_load, run_card
from gramian.study.findings.verdict import headline
from gramian.study.journal import Journal
from gramian.study.problem.checks import check_columns
from gramian.study.problem.problem import LearningProblem, pose_problem
from gramian.study.problem.profile import describe_columns
from gramian.study.progress import Clock, Counter, Watch
from gramian.study.settings import Settings
from gramian.tree import DecisionTreeClassifier

BASELINE = "most frequent labels"
METRICS = ("f1_micro", "f1_macro", "f1_samples", "accuracy")
_FOLDS = 5
_MANY = 10  # a hierarchy is tried for more labels than this
_CHAINED = 100  # chains, which fit labels one by one, are tried by default up to this many labels
Labels = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def learners(n_labels: int, n_rows: int, seed: int) -> dict[str, Model]:
    """Return the learners to try for these numbers of labels and rows, by name."""
    line, tree = LogisticRegression(), DecisionTreeClassifier(random_state=seed)
    found: dict[str, Model] = {
        "BinaryRelevance": BinaryRelevance(line),
        "MLkNN": MLkNN(min(10, max(1, n_rows // 3))),
    }
    if n_labels > _MANY:
        found["HOMER"] = HOMER(BinaryRelevance(line), random_state=seed)
    return found | {
        "RAkELo": RAkELo(tree, random_state=seed),
        "ClassifierChain": ClassifierChain(line),
        "EnsembleOfClassifierChains": EnsembleOfClassifierChains(tree, random_state=seed),
    }


def label_problem(source: LoadedTable, settings: Settings) -> tuple[LearningProblem, Labels]:
    """Return the problem without its labels, and the labels as 0s and 1s."""
    frame = check_frame("study.run", source.frame)
    names = list(settings.labels)
    absent = [name for name in names if name not in frame.columns]
    if absent:
        raise DataError(f"labels: there is no column {absent[0]!r}; check the names of the labels.")
    Y = np.column_stack([_on_or_off(frame[name]) for name in names])
    features = frame.drop(names).to_native()
    plain = Settings(
        task="clustering",
        seed=settings.seed,
        drop=settings.drop,
        categorical=settings.categorical,
        memory=settings.memory,
    )
    problem = pose_problem(features, plain, source.formats)
    reason = f"{len(names)} labels were given"
    return replace(problem, task="multi-label", reason=reason), Y[problem.rows]


def _on_or_off(column: nw.Series[Any]) -> Labels:
    known = {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "false": 0, "true": 1, "False": 0, "True": 1}
    found = [known.get(str(value), -1) for value in column.to_list()]
    if -1 in found:
        at = found.index(-1)
        found_value = "a missing value" if column[at] is None else repr(column[at])
        raise DataError(
            f"labels: column {column.name!r} must contain 0 and 1, or true and false; row {at} has "
            f"{found_value}. Correct or drop such rows, or leave the column out."
        )
    return np.array(found)


def label_rows(
    source: LoadedTable,
    settings: Settings,
    journal: Journal,
    clock: Clock,
    watch: Watch | None,
    announce: Announce | None = None,
) -> tuple[Any, LabelContents]:
    """Return the fitted pipeline and the contents of the report."""
    problem, Y = label_problem(source, settings)
    metric = settings.metric or METRICS[0]
    if metric not in METRICS:
        raise ParameterError(f"metric must be one of {', '.join(METRICS)}; got {metric!r}.")
    tried = _chosen(Y.shape[1], len(Y), settings)
    problem.issues.extend(check_columns(problem, None))
    if announce is not None:
        plan = f"Comparing {len(tried)} multi-label learners, scored by {metric}."
        announce(announcement(problem, source, plan))
    parts = max(2, round(1 / settings.test_size))
    development, test = next(iter(_folds(Y, parts, settings.seed)))
    counter = Counter(watch, (len(tried) + 1) * _FOLDS + 1)
    compared = _compare(problem, Y, development, tried, metric, settings, journal, clock, counter)
    winner = next(name for name in compared.names if name != BASELINE)
    model: Model = _pipeline(problem, tried[winner])
    model.fit(take(problem.frame, development), _named(problem, Y[development], settings))
    held_out = take(problem.frame, test)
    report = multilabel_report(
        Y[test],
        model.decision_function(held_out),
        model.predict(held_out),
        labels=settings.labels,
        confidence=1 - settings.alpha,
        random_state=settings.seed,
    )
    counter.step("explain", "labels")
    return model, _contents(problem, source, settings, clock, compared, report, winner, metric, Y)


def _chosen(n_labels: int, n_rows: int, settings: Settings) -> dict[str, Model]:
    """Return the learners of the settings, or those suitable for the number of labels."""
    every, names = learners(n_labels, n_rows, settings.seed), settings.models
    few = n_labels <= _CHAINED
    unknown = [name for name in names or () if name not in every]
    if unknown:
        raise ParameterError(
            f"models must be one of {', '.join(every)} for several labels; got {unknown[0]!r}."
        )
    if names is None:
        return {name: each for name, each in every.items() if few or "Chain" not in name}
    return {name: every[name] for name in names}


def _folds(Y: Labels, k: int, seed: int) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    return list(IterativeStratifiedKFold(k, random_state=seed).split(Y, Y))


def _pipeline(problem: LearningProblem, learner: Model) -> Model:
    prepare = TablePreparer(problem.kinds, formats=problem.formats)
    pipeline: Model = Pipeline([("prepare", prepare), ("model", clone(learner))])
    return pipeline


def _named(problem: LearningProblem, Y: Labels, settings: Settings) -> Any:
    """Return labels as a frame, so that the model knows their names."""
    frame: nw.DataFrame[Any] = nw.from_native(problem.frame, eager_only=True)
    backend = frame.implementation
    return nw.from_dict(
        {name: Y[:, j] for j, name in enumerate(settings.labels)}, backend=backend
    ).to_native()


def _compare(
    problem: LearningProblem,
    Y: Labels,
    development: NDArray[Any],
    tried: dict[str, Model],
    metric: str,
    settings: Settings,
    journal: Journal,
    clock: Clock,
    counter: Counter,
) -> Comparison:
    """Compare the learners and a baseline on the same folds.

    After the time limit, learners without results on all folds are dropped, except the first.
    """
    splits = [
        (development[train], development[test])
        for train, test in _folds(Y[development], _FOLDS, settings.seed)
    ]
    scores: dict[str, list[float]] = {}
    seconds: dict[str, float] = {}
    for name, learner in {BASELINE: None, **tried}.items():
        runs = []
        for number, (train, test) in enumerate(splits):
            if clock.is_over() and len(scores) > 1:
                break
            runs.append(
                journal.once(
                    f"label/{name}/{number}",
                    lambda: _score(problem, learner, Y, train, test, metric),  # noqa: B023
                )
            )
            counter.step("tune", name)
        if len(runs) < len(splits):
            break
        scores[name] = [run["score"] for run in runs]
        seconds[name] = float(np.mean([run["seconds"] for run in runs]))
    return compare_scores(
        scores,
        test_over_train=1 / (_FOLDS - 1),
        scoring=metric,
        tested_rows=len(development),
        alpha=settings.alpha,
        baseline=BASELINE,
        fit_seconds=seconds,
    )


def _score(
    problem: LearningProblem,
    learner: Model | None,
    Y: Labels,
    train: NDArray[Any],
    test: NDArray[Any],
    metric: str,
) -> dict[str, float]:
    """Fit a learner (None fits the baseline) and score its predictions."""
    start = perf_counter()
    if learner is None:
        seconds, predicted = 0.0, np.tile(_most_frequent(Y[train]), (len(test), 1))
    else:
        model = _pipeline(problem, learner).fit(take(problem.frame, train), Y[train])
        seconds = perf_counter() - start
        predicted = np.asarray(model.predict(take(problem.frame, test)))
    if metric == "accuracy":
        return {"score": float(accuracy_score(Y[test], predicted)), "seconds": seconds}
    average = metric.removeprefix("f1_")
    score = f1_score(Y[test], predicted, average=average, zero_division=0)
    return {"score": float(score), "seconds": seconds}


def _most_frequent(Y: Labels) -> Labels:
    """Return the most frequent labels, as many as a row has on average, at least one."""
    size = max(1, round(Y.sum() / len(Y)))
    chosen = np.argsort(-Y.sum(axis=0), kind="stable")[:size]
    return np.isin(np.arange(Y.shape[1]), chosen).astype(np.int64)


# --- the report -------------------------------------------------------------------------------


def _contents(
    problem: LearningProblem,
    source: LoadedTable,
    settings: Settings,
    clock: Clock,
    compared: Comparison,
    report: MultiLabelReport,
    winner: str,
    metric: str,
    Y: Labels,
) -> LabelContents:
    planned = len(_chosen(Y.shape[1], len(Y), settings))
    made = len(compared.names) - 1
    best = report.metrics["subset_accuracy" if metric == "accuracy" else metric]
    confidence = f"{100 * (1 - settings.alpha):g}% interval"
    first = (
        f"The best learner is {winner}: its {metric} on {report.n_rows} held-out rows is "
        f"{best.estimate:.3f} ({confidence} {best.low:.3f} to {best.high:.3f})."
    )
    sizes = Y.sum(axis=1)
    last = (
        f"A row has {sizes.mean():.2f} of {Y.shape[1]} labels on average; "
        f"{int((sizes == 0).sum())} rows have none."
    )
    shown = ", ".join(settings.labels[:8]) + (", ..." if len(settings.labels) > 8 else "")
    return LabelContents(
        run=run_card(
            problem,
            source,
            settings,
            clock.seconds,
            metric=metric,
            split=f"{len(Y) - report.n_rows} rows for development, {report.n_rows} for the "
            "test, by iterative stratification",
            evaluations=Evaluations(made, planned),
            complete=made == planned,
            winner=winner,
            target=f"{len(settings.labels)} labels: {shown}",
        ),
        headline=headline(problem.issues),
        verdict=(first, *_standing(compared, winner, metric), _best_and_worst_label(report), last),
        columns=describe_columns(problem, None),
        checks=tuple(problem.issues),
        labelling=Labelling(
            learners=_learner_rows(compared),
            metrics={
                name: LabelMetric(
                    estimate=defined(i.estimate),
                    low=defined(i.low),
                    high=defined(i.high),
                    confidence=i.confidence,
                    method=i.method,
                    assumes=i.assumes,
                )
                for name, i in report.metrics.items()
            },
            labels=tuple(
                LabelRow(
                    label=each.label,
                    rows=each.rows,
                    predicted=each.predicted,
                    precision=each.precision,
                    recall=each.recall,
                    f1=each.f1,
                    auc=defined(each.auc),
                )
                for each in report.labels
            ),
            rows=report.n_rows,
        ),
        load=how_to_load(),
    )


def _learner_rows(compared: Comparison) -> tuple[LearnerRow, ...]:
    """Return each learner's score with its interval, and whether it differs from the best."""
    best = compared.names[0]
    p_values = {pair.second: pair.p_adjusted for pair in compared.pairs if pair.first == best}
    return tuple(
        LearnerRow(
            name=name,
            mean=float(scores.mean()),
            low=defined(interval.low),
            high=defined(interval.high),
            p_best=p_values.get(name),
            is_baseline=name == compared.baseline,
            fit_seconds=float(seconds),
        )
        for name, scores, interval, seconds in zip(
            compared.names,
            compared.scores,
            compared.intervals,
            compared.fit_seconds,
            strict=True,
        )
    )


def _standing(compared: Comparison, winner: str, metric: str) -> list[str]:
    """Say whether the winner is better than the baseline, and than the other learners."""
    alpha = compared.alpha
    means = dict(zip(compared.names, compared.scores.mean(axis=1), strict=True))
    beaten = {
        pair.second for pair in compared.pairs if pair.first == winner if pair.is_better(alpha)
    }
    score = f"{metric} {means[BASELINE]:.3f}"
    base = f"the baseline, which predicts the {BASELINE} for every row ({score})"
    sentences = [
        f"It is significantly better than {base}."
        if BASELINE in beaten
        else f"It is not significantly better than {base}: don't rely on it until you have more "
        "data."
    ]
    others = [name for name in compared.names if name not in (winner, BASELINE)]
    open_ = [name for name in others if name not in beaten]
    if open_:
        sentences.append(
            f"The data show no reliable difference between it and {listed(open_)} (corrected "
            f"resampled t test over {compared.scores.shape[1]} splits, adjusted for all pairs, "
            f"level {alpha:g})."
        )
    elif others:
        sentences.append("All other learners are significantly worse.")
    return sentences


def _best_and_worst_label(report: MultiLabelReport) -> str:
    known = sorted((each for each in report.labels if each.rows), key=lambda each: each.f1)
    if not known:
        return "No held-out row has a label."
    worst, best = known[0], known[-1]
    return (
        f"Label {best.label!r} is predicted best (F1 {best.f1:.2f}), label {worst.label!r} worst "
        f"(F1 {worst.f1:.2f}, {worst.rows} held-out rows)."
    )
