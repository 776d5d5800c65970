"""Errors of lasso and elastic net on held-out folds, for all penalties at once."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.rows.moments import Rows, Summary, Vector
from gramian.base.types import Data, Matrix, Weights
from gramian.linear_model.lasso.sparse_problem import SparseProblem, gram_paths, moments

Split: TypeAlias = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]  # rows to fit, rows held out

_MIN_WEIGHT_FRACTION = (
    0.01  # fraction of the weight that must remain for differences of Gram matrices to be accurate
)


class Folds:
    """Training and held-out rows of all splits, prepared for any penalties.

    On a tall table the Gram matrix of a split's training rows is that of all rows minus that of
    its held-out rows, so the table is read once for all splits, and their paths run in parallel.
    """

    def __init__(
        self, X: Data, y: Vector, weights: Weights | None, splits: Sequence[Split], *, centre: bool
    ) -> None:
        self.X, self.y, self.weights, self.splits = X, y, weights, splits
        self.centre = centre
        self.total: Summary | None = None  # of all rows, if known
        self._moments: list[tuple[Matrix, Vector, float, Vector]] = []
        self._target_means: list[float] = []
        if SparseProblem.is_tall(X):
            fits = self._summaries()
            self._moments = [moments(fit, centre=centre) for fit in fits]
            d = X.shape[1]
            self._target_means = [float(fit.means[d]) if centre else 0.0 for fit in fits]

    def errors(
        self,
        l1: Vector,
        l2: Vector,
        path_done: Callable[[], None],
        *,
        positive: bool,
        tol: float,
        max_iter: int,
    ) -> Matrix:
        """Return the mean squared error of each penalty on held-out rows, (penalties, splits).

        `path_done` is called after each split's path, or once if they run in parallel.
        """
        if self._moments:
            grams, q, yy, means = zip(*self._moments, strict=True)
            coefs, _, _ = gram_paths(
                np.array(grams), np.array(q), np.array(yy), l1, l2, positive, tol, max_iter
            )
            fits = [
                (coef, level - coef @ mean)
                for coef, level, mean in zip(coefs, self._target_means, means, strict=True)
            ]
            path_done()
        else:
            fits = []
            for fit, _ in self.splits:
                part = SparseProblem(self.X[fit], _subset(self.weights, fit), centre=self.centre)
                path = part.path(self.y[fit], l1, l2, positive=positive, tol=tol, max_iter=max_iter)
                fits.append((path.coef, path.intercept))
                path_done()
        errors = np.empty((len(l1), len(self.splits)))
        for k, ((coef, intercept), (_, out)) in enumerate(zip(fits, self.splits, strict=True)):
            residuals = self.y[out, None] - self.X[out] @ coef.T.astype(self.X.dtype) - intercept
            errors[:, k] = np.average(residuals**2, axis=0, weights=_subset(self.weights, out))
        return errors

    def _summaries(self) -> list[Summary]:
        rows = np.ascontiguousarray(self.X)
        shift = Rows.of(
            rows, self.y[:, None], None
        ).pilot()  # one shift for all, so that sums can be added

        def summary(at: npt.NDArray[np.intp]) -> Summary:
            part = Rows.of(rows[at], self.y[at, None], _subset(self.weights, at))
            return part.summarise(shift=shift)

        held_out = np.concatenate([out for _, out in self.splits])
        partition = (np.bincount(held_out, minlength=len(self.y)) == 1).all()
        if not partition or any(len(f) + len(out) != len(self.y) for f, out in self.splits):
            return [summary(fit) for fit, _ in self.splits]
        parts = [summary(out) for _, out in self.splits]
        total = parts[0]
        with np.errstate(over="ignore", invalid="ignore"):  # `moments` raises later
            for part in parts[1:]:
                total = total.merge(part)
            training = [_difference(total, part.about(total.shift)) for part in parts]
        self.total = total
        return [
            rest if rest.weight > _MIN_WEIGHT_FRACTION * total.weight else summary(fit)
            for rest, (fit, _) in zip(training, self.splits, strict=True)
        ]


def _difference(total: Summary, part: Summary) -> Summary:
    return Summary(total.gram - part.gram, total.shift, total.n_rows - part.n_rows, total.n_targets)


def _subset(weights: Weights | None, rows: npt.NDArray[np.intp]) -> Weights | None:
    return None if weights is None else weights[rows]
