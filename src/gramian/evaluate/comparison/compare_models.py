r"""Compare models on the same splits: intervals, adjusted tests, and a baseline.

For models a, b and splits s the scores are S[a, s]; a pair is judged by its differences S[a, s] -
S[b, s], by default with the corrected resampled t test, because splits of one table share rows and
their scores are dependent. Holm's adjustment bounds by alpha the probability that any pair is
wrongly reported to differ. Models without a significant difference form a group.

References: Nadeau and Bengio, Machine Learning 52, 2003; Bouckaert and Frank, PAKDD 2004; Demsar,
JMLR 7, 2006; Benavoli, Corani, Demsar and Zaffalon, JMLR 18, 2017.
"""

import pickle
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from time import perf_counter
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.metrics import check_scoring, r2_score
from sklearn.utils import indexable

from gramian.base.errors import DataError, ParameterError
from gramian.base.rows.taking import take
from gramian.base.runtime.threads import jobs_for
from gramian.base.types import Floats, Table
from gramian.evaluate.comparison.compared_models import add_baseline, name_models, seeded, task_of
from gramian.evaluate.comparison.comparison import Comparison
from gramian.evaluate.comparison.comparison_splits import Split, shared_splits
from gramian.evaluate.comparison.mean_score import Scoring, is_accuracy, score_interval, score_name
from gramian.evaluate.comparison.pairwise_tests import pairwise_tests
from gramian.evaluate.hypothesis_tests.corrected_t import corrected_t_test, paired_t_test
from gramian.evaluate.hypothesis_tests.five_by_two import five_by_two_f_test, five_by_two_t_test
from gramian.evaluate.hypothesis_tests.mcnemar import mcnemar_test
from gramian.evaluate.hypothesis_tests.multiple_testing import Adjustment
from gramian.evaluate.input_checks import check_fraction, check_option, check_rope
from gramian.evaluate.results import HypothesisTestResult

Test = Literal["corrected_t", "five_by_two_t", "five_by_two_f", "mcnemar", "paired_t"]


class Run(NamedTuple):
    """One model on one split."""

    score: float
    predicted: Any
    fit_seconds: float
    predict_seconds: float
    size: float


def compare(
    models: Mapping[str, Any] | Sequence[Any],
    X: Table,
    y: ArrayLike,
    *,
    cv: Any = None,
    scoring: Scoring = None,
    test: Test = "corrected_t",
    adjust: Adjustment = "holm",
    alpha: float = 0.05,
    rope: float = 0.01,
    baseline: Any = "dummy",
    random_state: int | None = 0,
    n_jobs: int | None = None,
) -> Comparison:
    """Fit models on the same splits and report which models differ.

    Parameters
    ----------
    models
        A dict of estimators or pipelines, a list, or a list of (name, estimator) pairs. All
        are classifiers or all are regressors.
    X, y
        Features, in any form that the models accept, and targets; for multi-label learners 0s and
        1s, shape (n, labels).
    cv
        A scikit-learn splitter, a number of folds, or a list of (train, test) splits, as needed
        if rows belong to groups. None means five folds, stratified for classifiers
        (`IterativeStratifiedKFold` for labels), repeated twice; for ``"five_by_two_t"`` and
        ``"five_by_two_f"`` five halvings; for ``"mcnemar"`` ten folds.
    scoring
        scikit-learn's name of a score, or a callable; higher is better. None means accuracy (of
        whole label sets), or R squared.
    test
        ``"corrected_t"`` (see `corrected_t_test`), ``"five_by_two_t"``, ``"five_by_two_f"``,
        ``"mcnemar"`` on the rows predicted out of fold (accuracy only), or ``"paired_t"``, which
        rejects too often (see `paired_t_test`).
    adjust
        Adjustment for the number of pairs, as in `adjust_p_values`.
    alpha
        Significance level of the tests; intervals have confidence 1 - alpha.
    rope
        Region of practical equivalence: a smaller difference in score does not matter.
    baseline
        ``"dummy"`` adds a model that ignores all features (it predicts the most frequent class, or
        the mean); an estimator of the same kind as the models is added unchanged; None adds no
        baseline.
    random_state
        Seed for the splits, and for every ``random_state`` of a model that is None. If None,
        nothing is seeded.
    n_jobs
        Number of joblib processes; timings are most reliable with None.

    Returns
    -------
    comparison
        Scores, intervals, pairs, groups, times and sizes; ``print`` it, or see its `table`,
        `pair_table` and `plot`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> stump = DecisionTreeClassifier(max_depth=1)
    >>> print(compare({"bayes": GaussianNB(), "stump": stump}, X, y))
    3 models, 150 rows, 10 splits, scored by accuracy.
    Highest mean: bayes, 0.9567 (95% interval 0.9094 to 1).
    Significantly worse than it (corrected t, holm, level 0.05): stump and baseline.
    All are significantly better than the baseline (0.3333).
    """
    check_option("compare", "test", test, get_args(Test))
    check_option("compare", "adjust", adjust, get_args(Adjustment))
    check_fraction("compare", "alpha", alpha)
    check_rope("compare", rope)
    _check_scoring(scoring)
    X, target = indexable(X, np.asarray(y))
    named = name_models(models)
    task = task_of(named)
    classify = task == "classifier"
    baseline_name = add_baseline(named, baseline, task)
    if len(named) < 2:
        raise DataError("compare: pass at least two models, or one model and a baseline; got one.")
    if test == "mcnemar" and not classify:
        raise ParameterError("compare: test='mcnemar' needs classifiers; use test='corrected_t'.")
    if test == "mcnemar" and not is_accuracy(scoring, classify):
        raise ParameterError(
            f"compare: test='mcnemar' compares accuracy only; got scoring="
            f"{scoring!r}. Leave scoring at None, or use test='corrected_t'."
        )
    splits = shared_splits(cv, X, target, classify, test, random_state)
    named = {name: seeded(model, random_state) for name, model in named.items()}

    work = [(name, model, s) for s in range(len(splits)) for name, model in named.items()]
    runs = Parallel(n_jobs=jobs_for(n_jobs, len(work)))(
        delayed(_run)(name, model, X, target, s, splits[s], scoring, classify, test == "mcnemar")
        for name, model, s in work
    )
    table = np.array([run.score for run in runs]).reshape(len(splits), len(named)).T
    order = np.argsort(-table.mean(axis=1), kind="stable")
    names = [list(named)[i] for i in order]
    scores = table[order]
    by_model = {
        name: [run for run, (owner, _, _) in zip(runs, work, strict=True) if owner == name]
        for name in names
    }
    ratio = float(np.mean([len(held_out) / len(train) for train, held_out in splits]))
    results = [
        _test_result(test, scores[i], scores[j], ratio, alpha, splits, target,
                 by_model[names[i]], by_model[names[j]])
        for i, j in combinations(range(len(names)), 2)
    ]  # fmt: skip
    pairs, groups = pairwise_tests(
        names, scores, results, test_over_train=ratio, adjust=adjust, alpha=alpha, rope=rope,
        agrees=[_agrees(test, result) for result in results],
    )  # fmt: skip
    tested_rows = len(np.unique(np.concatenate([held_out for _, held_out in splits])))
    return Comparison(
        names=tuple(names),
        scores=scores,
        intervals=tuple(
            score_interval(row, ratio, 1 - alpha, scoring, classify, tested_rows) for row in scores
        ),
        pairs=pairs,
        groups=groups,
        fit_seconds=np.array([np.mean([r.fit_seconds for r in by_model[n]]) for n in names]),
        predict_seconds=np.array(
            [np.mean([r.predict_seconds for r in by_model[n]]) for n in names]
        ),
        sizes=np.array([by_model[name][0].size for name in names]),
        scoring=score_name(scoring, classify),
        test=test,
        adjust=adjust,
        alpha=alpha,
        baseline=baseline_name,
        n_rows=len(target),
    )


# --- the runs ----------------------------------------------------------------------------------


def _check_scoring(scoring: Any) -> None:
    if not (scoring is None or isinstance(scoring, str) or callable(scoring)):
        raise ParameterError(
            "compare: scoring must be None, the name of one score or a function (model, X, y); "
            f"got {scoring!r}; call compare once for each score."
        )


def _run(
    name: str,
    model: Any,
    X: Table,
    y: NDArray[Any],
    number: int,
    split: Split,
    scoring: Scoring,
    classify: bool,
    keep: bool,
) -> Run:
    """Fit, predict, score and time one model on one split; keep the predictions if requested."""
    train, held_out = split
    fitted = clone(model)
    try:
        start = perf_counter()
        fitted.fit(take(X, train), y[train])
        fit_seconds = perf_counter() - start
        X_test = take(X, held_out)
        start = perf_counter()
        predicted = fitted.predict(X_test)
        predict_seconds = perf_counter() - start
        score = _score(fitted, X_test, y[held_out], predicted, scoring, classify)
    except Exception as error:
        error.add_note(f"compare: this was model {name!r} on split {number}.")
        raise
    if not np.isfinite(score):
        raise DataError(
            f"compare: the score of {name!r} on split {number} is {score}; it may need every "
            "class, or more rows, in each test fold; use a stratified cv or fewer folds."
        )
    # Sizes hardly differ between splits, and pickling a large model is slow: measure one split.
    size = _pickled_bytes(fitted) if number == 0 else np.nan
    return Run(float(score), predicted if keep else None, fit_seconds, predict_seconds, size)


def _score(
    model: Any, X: Table, y: NDArray[Any], predicted: Any, scoring: Scoring, classify: bool
) -> float:
    if is_accuracy(scoring, classify):
        # Not scikit-learn's accuracy, which raises for a string (the label of rejected rows) beside
        # numeric classes.
        right = np.asarray(predicted).reshape(y.shape) == y
        return float(np.mean(right if right.ndim == 1 else right.all(axis=1)))
    if scoring is None:
        return float(r2_score(y, predicted))
    return float(check_scoring(model, scoring)(model, X, y))


def _pickled_bytes(model: Any) -> float:
    """Return the size of the pickled model, NaN if it cannot be pickled."""
    try:
        return float(len(pickle.dumps(model)))
    except (pickle.PicklingError, AttributeError, TypeError):
        return float("nan")


# --- the tests ---------------------------------------------------------------------------------


def _test_result(
    test: Test,
    first: Floats,
    second: Floats,
    ratio: float,
    alpha: float,
    splits: list[Split],
    y: NDArray[Any],
    runs_first: Iterable[Run],
    runs_second: Iterable[Run],
) -> HypothesisTestResult:
    if test == "five_by_two_t":
        return five_by_two_t_test(first, second, alpha=alpha)
    if test == "five_by_two_f":
        return five_by_two_f_test(first, second, alpha=alpha)
    if test == "paired_t":
        return paired_t_test(first, second, alpha=alpha)
    if test == "mcnemar":
        truth = y[np.concatenate([held_out for _, held_out in splits])]
        predictions = (
            np.concatenate([run.predicted for run in runs]) for runs in (runs_first, runs_second)
        )
        return mcnemar_test(truth, *predictions, alpha=alpha)
    return corrected_t_test(first, second, test_over_train=ratio, alpha=alpha)


def _agrees(test: Test, result: HypothesisTestResult) -> bool:
    """Return whether the estimate of the test also ranks the model with the higher mean first.

    Dietterich's t uses the first of ten differences, and McNemar's counts rows, not folds.
    """
    if result.estimate is None:
        return True
    return result.estimate <= 0 if test == "mcnemar" else result.estimate >= 0
