"""Squared error with an l1 and a squared penalty: the problem of lasso, elastic net and paths.

With weights v_i >= 0 of sum 1 (1/n each where none are given),

    P(c, b) = 1/2 sum_i v_i (y_i - b - x_i'c)^2 + l1 |c|_1 + l2/2 |c|^2.

Tall tables are replaced by their Gram matrix, computed in one pass over the rows. Wide and sparse
tables are read by columns, and only a working set of columns enters a Gram matrix.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.gate import numbers_of
from gramian.base.rows.moments import Rows, Summary, Vector
from gramian.base.types import Data, Matrix, Weights, is_sparse
from gramian.linear_model.ridge import tikhonov
from gramian.linear_model.ridge.ridge_problem import RidgeProblem

Counts: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
Report: TypeAlias = Callable[[Vector, float], bool]  # of coefficients and intercept; True: stop

_DIRECT_CYCLES = 100  # cycles before a path of decreasing penalties is tried
_PATH_LENGTH = 50  # penalties on that path, one cycle each
_REPORT_CYCLES = 100  # cycles between two reports
_MAX_GRAM_COLUMNS = 2000  # columns up to which a tall table is replaced by its Gram matrix
LARGEST = 1e150  # absolute value whose squares can be summed over any number of rows


@dataclass(frozen=True)
class Path:
    """Solutions along a grid of penalties.

    Attributes
    ----------
    coef
        (penalties, d).
    intercept
        (penalties,).
    gaps
        Upper bounds on P minus its minimum.
    n_iter
        Cycles, or active-set iterations, for each.
    converged
        Whether each gap reached the tolerance.
    stopped
        Whether a callback requested to stop.
    """

    coef: Matrix
    intercept: Vector
    gaps: Vector
    n_iter: Counts
    converged: npt.NDArray[np.bool_]
    stopped: bool = False

    def last(self) -> "Path":
        """Return the last point of the path."""
        return Path(
            self.coef[-1:],
            self.intercept[-1:],
            self.gaps[-1:],
            self.n_iter[-1:],
            self.converged[-1:],
            self.stopped,
        )


class SparseProblem:
    """A table X with weights, to be solved for any target and penalties."""

    def __init__(self, X: Data, weights: Weights | None, *, centre: bool) -> None:
        n, d = X.shape
        self.X = X
        self.centre = centre
        self.weights = weights
        self.row_weights = np.full(n, 1 / n) if weights is None else weights / weights.sum()
        self.uses_gram = self.is_tall(X)
        self.means = np.zeros(d)
        self._cached_moments: tuple[Vector, tuple[Matrix, Vector, float]] | None = None
        if not self.uses_gram:
            self._table = column_table(X, self.row_weights, centre=centre)
            self._table.means(self.means)
            squares = np.empty(d)
            self._table.squares(squares)
            check_overflow(squares, self.means)

    @staticmethod
    def is_tall(X: Data) -> bool:
        """Return whether to use the Gram matrix of all columns."""
        return not is_sparse(X) and X.shape[1] <= min(X.shape[0], _MAX_GRAM_COLUMNS)

    def l1_max(self, y: Vector, *, positive: bool = False) -> float:
        """Return the smallest l1 for which all coefficients are 0."""
        gradient = self._moments(y)[1] if self.uses_gram else self._start(y)[1]
        return float((gradient if positive else np.abs(gradient)).max(initial=0.0))

    def path(
        self,
        y: Vector,
        l1: npt.ArrayLike,
        l2: npt.ArrayLike,
        *,
        positive: bool,
        tol: float,
        max_iter: int,
        start: Vector | None = None,
        report: Report | None = None,
    ) -> Path:
        """Solve for each pair of penalties in order; `start` may contain initial coefficients.

        The tolerance of the gap is `tol` times sum_i v_i (y_i - mean)^2. On wide and sparse tables
        `report` is called every hundred cycles and may request to stop.
        """
        l1, l2 = np.atleast_1d(np.asarray(l1, float)), np.atleast_1d(np.asarray(l2, float))
        if np.all(l1 == 0):
            return self._without_l1(y, l2, positive)
        solve = self._gram_path if self.uses_gram else self._column_path
        if len(l1) > 1:
            return solve(y, l1, l2, positive, tol, max_iter, start, report)
        direct = solve(y, l1, l2, positive, tol, min(max_iter, _DIRECT_CYCLES), start, report)
        remaining = max_iter - _DIRECT_CYCLES
        l1_top = self.l1_max(y)
        if direct.converged.all() or direct.stopped or remaining <= 0:
            return direct
        if report is not None and report(direct.coef[0], float(direct.intercept[0])):
            return replace(direct, stopped=True)
        # Small penalty, nearly dependent columns: follow the path of decreasing penalties. The
        # attempts do not depend on max_iter, so that more cycles are never worse.
        best = direct
        if 0 < l1[0] < l1_top:
            if remaining <= _PATH_LENGTH:  # too few cycles for the whole path
                return direct
            penalties = np.geomspace(l1_top, l1[0], _PATH_LENGTH)
            same = np.full(_PATH_LENGTH, l2[0])
            end = solve(y, penalties, same, positive, tol, 1, None, None).last()
            remaining -= _PATH_LENGTH
            best = min(direct, end, key=lambda found: self._cost(found, y, l1[0], l2[0]))
        done = max_iter - remaining
        if best.converged.all():
            return replace(best, n_iter=np.array([done]))
        rest = solve(y, l1, l2, positive, tol, remaining, best.coef[0], report)
        return replace(rest, n_iter=rest.n_iter + done)

    def _cost(self, found: Path, y: Vector, l1: float, l2: float) -> float:
        """Return P at the end of a path, from the rows."""
        coef: Vector = found.coef[-1]
        residual: Vector = y - self.X @ coef - found.intercept[-1]
        penalty = l1 * np.abs(coef).sum() + l2 / 2 * (coef @ coef)
        return float(self.row_weights @ residual**2 / 2 + penalty)

    def _target_mean(self, y: Vector) -> float:
        return float(self.row_weights @ y) if self.centre else 0.0

    # Solving from the Gram matrix

    def _moments(self, y: Vector) -> tuple[Matrix, Vector, float]:
        if self._cached_moments is None or self._cached_moments[0] is not y:
            rows = Rows.of(np.ascontiguousarray(self.X), y[:, None], self.weights)
            return self.use_summary(y, rows.summarise())
        return self._cached_moments[1]

    def use_summary(self, y: Vector, summary: Summary) -> tuple[Matrix, Vector, float]:
        """Use this summary of the rows and target instead of a pass over them."""
        gram, q, yy, self.means = moments(summary, centre=self.centre)
        self._cached_moments = y, (gram, q, yy)
        return self._cached_moments[1]

    def _gram_path(
        self,
        y: Vector,
        l1: Vector,
        l2: Vector,
        positive: bool,
        tol: float,
        max_iter: int,
        start: Vector | None,
        report: Report | None,
    ) -> Path:
        del report  # the Gram matrix costs more than the path
        gram, q, yy = self._moments(y)
        if start is not None:
            start = np.where(gram.diagonal() > 0, np.maximum(start, 0) if positive else start, 0)
        coef, gaps, n_iter = gram_paths(
            gram[None], q[None], np.array([yy]), l1, l2, positive, tol, max_iter, start
        )
        intercept = self._target_mean(y) - coef[0] @ self.means
        converged = gaps[0] <= tol * yy
        return Path(coef[0], intercept, gaps[0], n_iter[0], converged)

    # Solving from columns

    def _start(self, y: Vector) -> tuple[Any, Vector]:
        centred = np.sqrt(self.row_weights) * (y - self._target_mean(y))
        path, gradient = _native.LassoPath(self._table, centred), np.empty(len(self.means))
        path.start(gradient)
        check_overflow(gradient)
        return path, gradient

    def _column_path(
        self,
        y: Vector,
        l1: Vector,
        l2: Vector,
        positive: bool,
        tol: float,
        max_iter: int,
        start: Vector | None,
        report: Report | None,
    ) -> Path:
        path, _ = self._start(y)
        if start is not None and start.any():
            path.restart(np.maximum(start, 0) if positive else start)
        mean = self._target_mean(y)
        limit = tol * float(self.row_weights @ (y - mean) ** 2)
        coef = np.empty((len(l1), len(self.means)))
        found, stopped = [], False
        for a, b, row in zip(l1.tolist(), l2.tolist(), coef, strict=True):
            done = 0
            while True:
                budget = 1 if stopped else min(_REPORT_CYCLES, max_iter - done)
                gap, cycles, converged = path.solve(a, b, positive, limit, budget, row)
                done += cycles
                if converged or stopped or done >= max_iter or cycles < budget:
                    break
                stopped = report is not None and report(row, mean - float(row @ self.means))
            found.append((gap, done, converged))
        gaps, n_iter, converged = (np.array(values) for values in zip(*found, strict=True))
        return Path(coef, mean - coef @ self.means, gaps, n_iter, converged, stopped)

    # Without an l1 penalty

    def _without_l1(self, y: Vector, l2: Vector, positive: bool) -> Path:
        rows = Rows.of(
            self.X.tocsr() if is_sparse(self.X) else np.ascontiguousarray(self.X),
            y[:, None],
            self.row_weights * len(y),
        )
        models = [
            tikhonov.tikhonov(
                rows,
                RidgeProblem(np.array([a * len(y)]), None, self.centre, False),
                solver="auto",
                positive=positive,
                tol=1e-10,
                max_iter=None,
                owner="ElasticNet",
            ).model[0]
            for a in l2
        ]
        model = np.array(models)
        zeros, ones = np.zeros(len(l2)), np.ones(len(l2), dtype=np.int64)
        return Path(model[:, :-1], model[:, -1], zeros, ones, ones.astype(bool))


def moments(summary: Summary, *, centre: bool) -> tuple[Matrix, Vector, float, Vector]:
    """Return X'VX, X'Vy, y'Vy with weights V of sum 1, and the means subtracted (or 0)."""
    d, total = summary.n_features, summary.weight
    with np.errstate(over="ignore", invalid="ignore"):  # refused below
        if centre:
            sums, means = summary.centred(), summary.means[:d]
        else:
            sums, means = summary.about(np.zeros(d + 1)).gram[:-1, :-1], np.zeros(d)
    check_overflow(sums, means)
    sums = sums / total
    gram = np.ascontiguousarray(sums[:d, :d])
    scale = means**2 + gram.diagonal()
    constant = gram.diagonal() <= 1e-26 * scale
    gram[constant] = 0
    gram[:, constant] = 0
    return gram, np.where(constant, 0.0, sums[:d, d]), float(max(sums[d, d], 0.0)), means


def check_overflow(*sums: Matrix) -> None:
    """Raise if sums of squares or products overflow; estimators check this earlier."""
    if not all(np.isfinite(values).all() for values in sums):
        raise DataError(
            "enet_path: X or y is too large to be squared; scale them, for example the columns "
            "and the targets to unit variance."
        )


def gram_paths(
    grams: Matrix,
    q: Matrix,
    yy: Vector,
    l1: Vector,
    l2: Vector,
    positive: bool,
    tol: float,
    max_iter: int,
    start: Vector | None = None,
) -> tuple[Matrix, Matrix, Counts]:
    """Solve several problems over one grid; return (problems, grid, d), their gaps and cycles.

    All start from `start`, or from 0.
    """
    problems, d = q.shape
    coef = np.zeros((problems * len(l1), d))
    coef[:: len(l1)] = 0.0 if start is None else start
    gaps = np.empty((problems, len(l1)))
    n_iter = np.empty((problems, len(l1)), dtype=np.int64)
    _native.lasso_gram_paths(
        (np.ascontiguousarray(grams).reshape(-1), np.ascontiguousarray(q), yy),
        (l1, l2),
        positive,
        tol * yy,
        max_iter,
        coef,
        gaps,
        n_iter,
    )
    return coef.reshape(problems, len(l1), d), gaps, n_iter


def column_table(X: Data, row_weights: Vector, *, centre: bool) -> _native.LassoTable:
    """Return the columns of X for native code; Fortran order and CSC are used without a copy."""
    if not is_sparse(X):
        return _native.LassoTable(np.ascontiguousarray(X.T), row_weights, centre)
    columns = X.tocsc()
    return _native.LassoTable(columns.data, columns.indices, columns.indptr, row_weights, centre)


def check_alphas(owner: str, alphas: Any) -> Vector:
    """Return the penalties from the largest to the smallest."""
    values = numbers_of(f"{owner}: alphas", alphas)
    if len(values) == 0 or not np.all(np.isfinite(values)) or (values < 0).any():
        raise ParameterError(
            f"{owner}: alphas must contain finite numbers >= 0, at least one; got {alphas!r}."
        )
    ordered: Vector = np.sort(values)[::-1].copy()
    return ordered


def alpha_grid(owner: str, l1_max: float, l1_ratio: float, count: int, eps: float) -> Vector:
    """Return alphas from the smallest that makes all coefficients 0 down to `eps` times that."""
    if l1_ratio == 0:
        raise ParameterError(
            f"{owner}: l1_ratio must be > 0 if alphas is a number: without an l1 penalty no alpha "
            "makes all coefficients 0; got l1_ratio=0. Pass alphas."
        )
    if l1_max == 0:  # a constant target; as in scikit-learn
        return np.full(count, np.finfo(float).resolution)
    largest = max(l1_max / l1_ratio, np.finfo(float).tiny ** 0.5)
    return np.geomspace(largest, largest * eps, count)
