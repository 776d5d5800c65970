"""Forward and backward stepwise selection of columns for least squares."""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Count, NonNegative, NonNegativeInt, params
from gramian.base.folds import check_splits
from gramian.base.inputs.targets import check_targets
from gramian.base.rows.moments import Rows, Summary, Vector
from gramian.base.types import Matrix, Table
from gramian.feature_selection.column_selector import ColumnSelector
from gramian.feature_selection.sweep_operator import SweepModel, summaries


@params(first=("n_features_to_select", "direction", "scoring", "cv", "early_stop", "tol", "tries"))
class StepwiseSelector(ColumnSelector):
    """Forward or backward stepwise selection for least squares.

    Forward selection starts with no columns and repeatedly adds the one whose model scores best.
    Backward selection starts with all columns and repeatedly drops the one whose removal scores
    best. This compares O(d^2) models (Hastie, Tibshirani and Friedman 2009, 3.3.2) without
    refitting: cross-products are computed once, and after a sweep the error of every candidate,
    also on held-out rows, is a formula (see `gramian.feature_selection.sweep_operator`). Scores are
    means over folds or minus an information criterion of the training rows,

        aic = n log(rss / n) + 2 k,    bic = n log(rss / n) + k log n.

    If validation rows are passed to `fit`, their error is used instead.

    Parameters
    ----------
    n_features_to_select
        Number of columns to select; None means the number with the best score.
    direction
        "forward" or "backward".
    early_stop
        Whether to stop at the first step that does not raise the score by more than `tol`.
    tol
        Minimum improvement of the score, with `early_stop`.
    tries
        For backward selection, the number of columns tried at each step, those with the smallest
        z-scores w_j / (s sqrt(C_jj)); None means all.

    Attributes
    ----------
    path_ : array
        The columns in the order in which they were added or dropped.
    scores_ : array
        The score after each step, the initial score first.
    n_features_to_select_ : int
        Number of columns selected.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.feature_selection import StepwiseSelector
    >>> X = np.random.default_rng(0).normal(size=(100, 6))
    >>> y = X[:, 4] - 2 * X[:, 1]
    >>> StepwiseSelector(n_features_to_select=2).fit(X, y).path_
    array([1, 4])
    """

    _: KW_ONLY
    n_features_to_select: NonNegativeInt | None = None
    direction: Literal["forward", "backward"] = "forward"
    early_stop: bool = False
    tol: NonNegative = 0.0
    tries: Count | None = None

    def _select(
        self, X: Matrix, y: Vector, weights: Vector | None, X_val: Any, y_val: Any
    ) -> npt.NDArray[np.bool_]:
        d = X.shape[1]
        if self.n_features_to_select is not None and self.n_features_to_select > d:
            raise ParameterError(
                f"StepwiseSelector: n_features_to_select={self.n_features_to_select} exceeds "
                f"the {d} columns of X; lower it."
            )
        pairs = self._summary_pairs(X, y, weights, X_val, y_val)
        select = self._forward if self.direction == "forward" else self._backward
        self.path_, self.scores_ = select(pairs, d)
        requested = self.n_features_to_select
        if requested is None or self.early_stop:
            best = int(np.argmax(self.scores_))
            steps = best if requested is None else min(best, self._steps(d))
        else:
            steps = self._steps(d)
        steps = min(steps, len(self.path_))
        support = np.zeros(d, dtype=bool)
        support[self.path_[:steps]] = True
        if self.direction == "backward":
            support = ~support
        self.n_features_to_select_ = int(support.sum())
        return support

    def _steps(self, d: int) -> int:
        requested = self.n_features_to_select
        if requested is None:
            return d
        return requested if self.direction == "forward" else d - requested

    def _summary_pairs(
        self, X: Matrix, y: Vector, w: Vector | None, X_val: Table, y_val: npt.ArrayLike
    ) -> list[tuple[Summary, Summary | None]]:
        """Return summaries of the training and validation rows."""
        if X_val is not None:
            table = np.ascontiguousarray(X_val, dtype=X.dtype)
            targets = np.asarray(check_targets(self, y_val, len(table)), dtype=np.float64)
            if table.ndim != 2 or table.shape[1] != X.shape[1]:
                raise DataError(
                    f"StepwiseSelector: X_val must have the {X.shape[1]} columns of X; got shape "
                    f"{table.shape}."
                )
            fit = Rows.of(X, y[:, None], w).summarise()
            return [(fit, Rows.of(table, targets[:, None], None).summarise())]
        if self.scoring in ("aic", "bic"):
            return [(Rows.of(X, y[:, None], w).summarise(), None)]
        splits = check_splits("StepwiseSelector", self.cv, X, y, classifier=False)
        return list(summaries(X, y, w, splits))

    def _forward(
        self, pairs: list[tuple[Summary, Summary | None]], d: int
    ) -> tuple[npt.NDArray[np.intp], Vector]:
        models = [SweepModel(*pair, intercept=bool(self.fit_intercept)) for pair in pairs]
        path: list[int] = []
        scores = [self._score(models, [m.error() for m in models], 0)]
        for size in range(1, self._steps(d) + 1):
            after = np.array([model.errors_after() for model in models])  # (folds, d)
            value = np.array(self._score(models, after, size))
            if not np.isfinite(
                value
            ).any():  # all remaining columns are linear combinations of the selected ones
                break
            j = int(np.argmax(value))
            if self.early_stop and value[j] <= scores[-1] + self.tol:
                break
            for model in models:
                model.enter(j)
            path.append(j)
            scores.append(float(value[j]))
        return np.array(path, dtype=np.intp), np.array(scores)

    def _backward(
        self, pairs: list[tuple[Summary, Summary | None]], d: int
    ) -> tuple[npt.NDArray[np.intp], Vector]:
        in_model = list(range(d))
        path: list[int] = []
        scores = [self._score_columns(pairs, in_model)]
        for _ in range(self._steps(d)):
            tried = self._least_significant(pairs, in_model)
            values = [self._score_columns(pairs, [k for k in in_model if k != j]) for j in tried]
            at = int(np.argmax(values))
            if self.early_stop and values[at] <= scores[-1] + self.tol:
                break
            leaving = tried[at]
            in_model.remove(leaving)
            path.append(leaving)
            scores.append(values[at])
        return np.array(path, dtype=np.intp), np.array(scores)

    def _least_significant(
        self, pairs: list[tuple[Summary, Summary | None]], in_model: list[int]
    ) -> list[int]:
        if self.tries is None or self.tries >= len(in_model):
            return list(in_model)
        total = np.sum(
            [z_scores(fit, in_model, bool(self.fit_intercept)) for fit, _ in pairs], axis=0
        )
        return [in_model[k] for k in np.argsort(total, kind="stable")[: self.tries]]

    def _score_columns(
        self, pairs: list[tuple[Summary, Summary | None]], in_model: list[int]
    ) -> float:
        models = [SweepModel(*pair, intercept=bool(self.fit_intercept)) for pair in pairs]
        for model in models:
            for j in in_model:
                if model.candidates()[j]:
                    model.enter(j)
        return float(self._score(models, [m.error() for m in models], len(in_model)))

    def _score(self, models: list[SweepModel], errors: Any, size: int) -> Any:
        """Return the score of models with these errors; `errors` has one row per fold."""
        errors = np.asarray(errors, dtype=np.float64)
        # Exact fits count as equal, regardless of rounding errors.
        shape = (-1,) + (1,) * (errors.ndim - 1)
        errors = np.maximum(errors, np.array([m.rounding for m in models]).reshape(shape))
        if models[0].validation is None and self.scoring in ("aic", "bic"):
            n = models[0].validation_weight
            k = size + 1 + bool(self.fit_intercept)
            complexity = 2 * k if self.scoring == "aic" else k * np.log(n)
            with np.errstate(divide="ignore"):
                return -(n * np.log(np.maximum(errors[0], 1e-300) / n) + complexity)
        scale = [m.total if self.scoring == "r2" else m.validation_weight for m in models]
        ratios = errors / np.maximum(np.array(scale), 1e-300).reshape(shape)
        return (1 - ratios if self.scoring == "r2" else -ratios).mean(axis=0)


def z_scores(summary: Summary, columns: list[int], intercept: bool = True) -> Vector:
    """Return |w_j| / (s sqrt(C_jj)) of a least-squares fit on the chosen columns.

    C is the inverse Gram matrix of the (centred) columns, s^2 the mean square of the residuals.

    Parameters
    ----------
    summary
        Summary of the rows, as returned by `gramian.LinearRegression.summarise`.
    columns
        Indices of the columns in the fit.
    intercept
        Whether to fit an intercept.

    Returns
    -------
    array
        One number per column.

    Examples
    --------
    >>> from gramian import LinearRegression
    >>> from gramian.feature_selection import z_scores
    >>> rows = LinearRegression().summarise([[0.0], [1.0], [2.0]], [0.0, 1.0, 3.0])
    >>> z_scores(rows, [0]).round(3)
    array([5.196])
    """
    d = summary.n_features
    sums = summary.centred() if intercept else summary.about(np.zeros(d + 1)).gram[:-1, :-1]
    at = np.array(columns, dtype=np.intp)
    inverse = np.linalg.pinv(sums[np.ix_(at, at)])
    w = inverse @ sums[at, d]
    rss = max(float(sums[d, d] - w @ sums[at, d]), 1e-12 * float(sums[d, d]), 1e-300)
    freedom = max(summary.weight - len(at) - intercept, 1.0)
    scores: Vector = np.abs(w) / np.sqrt(rss / freedom * np.maximum(inverse.diagonal(), 1e-300))
    return scores
