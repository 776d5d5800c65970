"""The number of components chosen by the held-out score of a model."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring

from gramian.base.errors import ParameterError
from gramian.base.folds import check_splits
from gramian.base.types import Floats
from gramian.decomposition.pca import PCA


class ComponentChoice(NamedTuple):
    """Held-out scores of a model on the first components.

    Attributes
    ----------
    n_components
        The smallest number with the best mean score.
    counts
        The numbers of components tried.
    scores
        Array (folds, counts).
    """

    n_components: int
    counts: list[int]
    scores: Floats


def choose_by_validation(
    estimator: Any,
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    counts: Sequence[int] | None = None,
    cv: Any = 5,
    scoring: Any = None,
    whiten: bool = False,
) -> ComponentChoice:
    """Choose the number of components by the held-out score of a model fitted to them.

    The components are those of each fold's training rows; they are computed once per fold, since
    the first k do not depend on how many follow.

    Parameters
    ----------
    estimator
        Regressor or classifier of the coordinates.
    X, y
        Rows and targets.
    counts
        Numbers of components to try; None for all from 1 to the maximum in every fold.
    cv
        Number of folds, a splitter or an iterable of (train, test).
    scoring
        Scorer or its name; None uses the estimator's ``score``.
    whiten
        Whether the coordinates are scaled to variance 1.

    Examples
    --------
    >>> from gramian import Ridge
    >>> from gramian.decomposition import choose_by_validation
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 5)) * [5.0, 2.0, 1.0, 1.0, 1.0]
    >>> choose_by_validation(Ridge(), X, X[:, 1], counts=[1, 2]).n_components
    2
    """
    rows, targets = np.asarray(X), np.asarray(y)
    splits = check_splits(
        "choose_by_validation", cv, rows, targets, classifier=is_classifier(estimator)
    )
    most = min(min(len(train) for train, _ in splits), rows.shape[1])
    tried = list(range(1, most + 1)) if counts is None else [int(k) for k in counts]
    if not tried or min(tried) < 1 or max(tried) > most:
        raise ParameterError(
            f"choose_by_validation: counts must be between 1 and {most}, the smaller of "
            "the numbers of columns and of rows in the smallest training set; "
            f"got {tried!r}."
        )
    scorer = check_scoring(estimator, scoring)
    scores = np.empty((len(splits), len(tried)))
    for i, (train, test) in enumerate(splits):
        pca = PCA(max(tried), whiten=whiten).fit(rows[train])
        inside, outside = pca.transform(rows[train]), pca.transform(rows[test])
        for j, k in enumerate(tried):
            model = clone(estimator).fit(inside[:, :k], targets[train])
            scores[i, j] = scorer(model, outside[:, :k], targets[test])
    return ComponentChoice(tried[int(np.argmax(scores.mean(axis=0)))], tried, scores)
