"""Explanations of a model: importances, partial dependence, coefficients, single rows.

The importance of a column is the drop of the score when its values are shuffled among the rows
(Breiman, Machine Learning 45, 2001), its interval that of the jackknife over parts of the rows
(Efron and Stein, Annals of Statistics 9, 1981); the effect of a column is the mean prediction when
all rows get one value (Friedman, Annals of Statistics 29, 2001).
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from scipy import stats

from gramian.base.randomness import stream
from gramian.base.rows.taking import take
from gramian.base.types import Floats, RowNumbers
from gramian.data.columns import numbers_of
from gramian.data.tfidf import words_of
from gramian.study.contents.explanation import (
    Coefficients,
    Effect,
    Importance,
    RowEffect,
)
from gramian.study.contents.values import defined
from gramian.study.problem.metrics import Predicted
from gramian.study.search.trial import FittedPipeline

Predict = Callable[[Any], NDArray[np.float64]]  # a frame to one number or one column per class

_ROWS = 1000  # maximum number of rows for importances and effects
_SHUFFLES = 5
_PARTS = 20  # parts of the rows for the jackknife
_LEVELS = 12  # maximum number of levels of a category, or words of a text
_LEAST_TEXTS = 5  # minimum number of texts with a word


def importances(
    predict: Callable[[str | None, RowNumbers], Predicted],
    score: Callable[[Predicted, RowNumbers], float],
    n: int,
    columns: list[str],
    *,
    alpha: float,
    seed: int,
) -> tuple[Importance, ...]:
    """Return the mean drop of the score when each column is shuffled, with an interval over rows.

    Parameters
    ----------
    predict
        Returns the predictions for n rows with the values of a column in another order; None
        shuffles no column.
    score
        Returns the score of predictions on some of the rows.
    n, columns
        Number of rows, and the columns to shuffle.
    alpha, seed
        The interval has confidence 1 - alpha. It is that of the jackknife: the drop is computed
        again without each of twenty parts of the rows.
    """
    rows, n_parts = np.arange(n), min(_PARTS, n)
    part = stream(seed, 999).permutation(n) % n_parts
    whole = predict(None, rows)
    found = []
    for number, name in enumerate(columns):
        drops = np.zeros(1 + n_parts)
        for shuffle in range(_SHUFFLES):
            order = stream(seed, 1000 + number * _SHUFFLES + shuffle).permutation(n)
            shuffled = predict(name, order)
            # Leave out the rows of the part, and the rows that received values from it.
            kept = [rows, *(rows[(part != k) & (part[order] != k)] for k in range(n_parts))]
            drops += [score(whole, some) - score(shuffled, some) for some in kept]
        drop, *others = (drops / _SHUFFLES).tolist()
        reach = _jackknife_error(others) * float(stats.t.isf(alpha / 2, n_parts - 1))
        found.append(Importance(name, drop, defined(drop - reach), defined(drop + reach)))
    return tuple(sorted(found, key=lambda each: -each.mean))


def _jackknife_error(values: list[float]) -> float:
    """Return the standard error of a statistic from its values without each part of the rows."""
    return float(np.sqrt((len(values) - 1) * np.var(values)))


def effect(means_at: Callable[[list[Any]], list[Any]], frame: Any, name: str, kind: str) -> Effect:
    """Return the mean prediction when a column is set to each of several values in all rows.

    Parameters
    ----------
    means_at
        Returns the mean prediction for each of several values of the column.
    frame, name, kind
        The rows, the column and its kind.
    """
    table: nw.DataFrame[Any] = nw.from_native(frame, eager_only=True)
    column = table[name]
    if kind == "numeric":
        values = numbers_of(table, [name])[:, 0]
        values = values[~np.isnan(values)]
        grid: list[Any] = np.unique(np.quantile(values, np.linspace(0.02, 0.98, 20))).tolist()
    else:
        counts = Counter(v for v in column.to_list() if v is not None)
        grid = sorted(counts, key=lambda v: (-counts[v], str(v)))[:_LEVELS]
    shown = grid if kind == "numeric" else [str(v) for v in grid]
    return Effect(name, kind, tuple(shown), _frozen(means_at(grid)))


def effect_of_words(
    predicted: NDArray[np.float64], texts: list[str | None], name: str
) -> Effect | None:
    """Return the mean prediction of the rows with a word, for the most informative words.

    None if no word occurs often enough. Words are ranked by the distance of the mean of their rows
    from the overall mean, in standard errors.
    """
    held = [set(words_of(text)) for text in texts]
    counts = Counter(word for words in held for word in words)
    outputs = predicted.reshape(len(texts), -1)
    centre, spread = outputs.mean(axis=0), outputs.std(axis=0).max() or 1.0
    found = []
    for word, count in counts.items():
        if _LEAST_TEXTS <= count < len(texts):
            mean: Floats = outputs[[word in words for words in held]].mean(axis=0)
            strength = float(np.abs(mean - centre).max() / spread * np.sqrt(count))
            found.append((-strength, word, mean))
    if not found:
        return None
    shown = sorted(found, key=lambda item: item[:2])[:_LEVELS]
    means = [mean.tolist() if predicted.ndim > 1 else float(mean[0]) for _, _, mean in shown]
    return Effect(name, "text", tuple(word for _, word, _ in shown), _frozen(means))


def _frozen(means: list[Any]) -> Any:
    """Return lists as tuples."""
    return tuple(tuple(mean) if isinstance(mean, list) else mean for mean in means)


def coefficients(
    pipeline: FittedPipeline, classes: list[str], most: int = 40
) -> Coefficients | None:
    """Return the coefficients of a linear model by prepared column name, largest first."""
    model = pipeline[-1]
    if not hasattr(model, "coef_"):
        return None
    names = pipeline[0].get_feature_names_out().tolist()
    table = np.atleast_2d(np.asarray(model.coef_, dtype=np.float64))
    if table.shape[1] != len(names):
        return None
    order = np.argsort(-np.abs(table).max(axis=0), kind="stable")[:most]
    outputs = classes[1:] if len(table) == 1 and classes else classes
    intercept = np.atleast_1d(getattr(model, "intercept_", 0.0)).astype(float)
    return Coefficients(
        columns=tuple(names[i] for i in order),
        outputs=tuple(outputs or ["prediction"]),
        values=_frozen(table[:, order].tolist()),
        intercept=tuple(intercept.tolist()),
        left_out=max(0, table.shape[1] - most),
    )


def explain_row(
    predict: Predict, frame: Any, row: int, columns: list[str], *, seed: int = 0
) -> tuple[RowEffect, ...]:
    """Return the effect of each column on the prediction of one row.

    The value of the column is replaced by those of other rows of the table; the effect is the
    prediction minus the mean of these predictions.
    """
    table: nw.DataFrame[Any] = nw.from_native(frame, eager_only=True)
    others = stream(seed, 5).permutation(len(table))[:200]
    one = take(frame, np.array([row]))
    predicted = np.asarray(predict(one), dtype=np.float64)[0]
    same: nw.DataFrame[Any] = nw.from_native(
        take(frame, np.full(len(others), row)), eager_only=True
    )
    found = []
    for name in columns:
        changed = same.with_columns(table[others][name].alias(name))
        moved = predicted - np.asarray(predict(changed.to_native()), dtype=np.float64).mean(axis=0)
        value = table[name].to_list()[row]
        effect = moved.tolist()
        found.append(RowEffect(name, value, tuple(effect) if moved.ndim else effect))
    return tuple(sorted(found, key=lambda each: -float(np.abs(each.effect).max())))


def sample_rows(n: int, seed: int) -> NDArray[np.intp]:
    """Return at most a thousand row numbers, in ascending order."""
    return np.sort(stream(seed, 4).permutation(n)[:_ROWS])
