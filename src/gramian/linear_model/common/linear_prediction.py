"""Mixins of linear regressors: prediction, chunks and summaries."""

from collections.abc import Iterable
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.inputs.gate import check_fit, check_new
from gramian.base.inputs.targets import check_targets
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Estimator, Tags
from gramian.base.rows.chunks import Chunks, GivenChunk
from gramian.base.rows.moments import Rows, Summary
from gramian.base.rows.parts import Parts
from gramian.base.types import Matrix, Table

if TYPE_CHECKING:
    from gramian.base.kinds import Regressor as _Mixed  # the class that the mixins extend
else:
    _Mixed = object


class LinearPrediction(_Mixed):
    """Mixin that predicts x'c + b for one or several targets."""

    parametric = True
    takes_sparse: ClassVar[bool] = True
    flattens_column: ClassVar[bool] = True  # coef_ of y with one column has shape (d,)
    tags: ClassVar[Tags] = {"target_tags.multi_output": True}
    coef_: Matrix
    intercept_: Any

    def predict(self, X: Table) -> Matrix:
        """Return x'c + b for each row, of shape (n,) or (n, targets)."""
        check_is_fitted(self)
        table = check_new(self, X, dtype=self.coef_.dtype)
        predicted: Matrix = table @ self.coef_.T + self.intercept_
        return predicted

    def _check_rows(
        self, X: Table, y: npt.ArrayLike | None, sample_weight: npt.ArrayLike | None
    ) -> tuple[Rows, Any, bool]:
        """Return the training rows, the type of X, and whether y is one-dimensional."""
        table = check_fit(self, X)
        targets = check_targets(self, y, table.shape[0], columns=True)
        weights = check_weights(self, sample_weight, table.shape[0])
        return Rows.of(table, targets, weights), table.dtype, targets.ndim == 1

    def _check_chunks(self, chunks: Iterable[GivenChunk] | Parts) -> tuple[Rows, Any, bool]:
        """Return the same for chunks that can be iterated again; every pass checks every chunk."""
        gate = Chunks.of(self, chunks)
        first = gate.first()
        targets = gate.named(check_targets, first.y, first.X.shape[0], columns=True)
        n_targets = 1 if targets.ndim == 1 else targets.shape[1]
        return Rows.in_chunks(gate, n_targets), gate.dtype, targets.ndim == 1

    def _set_model(
        self, coef: Matrix, intercept: Matrix, dtype: npt.DTypeLike, one_target: bool
    ) -> None:
        check_model(self, coef, intercept)
        coef, intercept = coef.astype(dtype), intercept.astype(dtype)
        fits = bool(getattr(self, "fit_intercept", True))
        flat = one_target or (len(coef) == 1 and self.flattens_column)
        self.coef_ = np.ascontiguousarray(coef[0] if flat else coef)
        self.intercept_ = (intercept[0] if one_target else intercept) if fits else 0.0


def check_model(estimator: Estimator, coef: Matrix, intercept: Matrix) -> None:
    """Raise if coefficients are not finite because of overflow."""
    if not (np.isfinite(coef).all() and np.isfinite(intercept).all()):
        raise DataError(
            f"{type(estimator).__name__}: X, y and sample_weight must be small enough for sums "
            "of their products; the coefficients are infinite or NaN. Scale the columns of X, "
            "divide y and sample_weight by constants."
        )


class SummaryFit(LinearPrediction):
    """Mixin that fits a linear regressor from a Gram matrix of the rows."""

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit to rows in memory.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Targets, (n,) or (n, targets).
        sample_weight
            Weights >= 0 of the rows; weight k counts as the row repeated k times.

        Returns
        -------
        self
        """
        return self._fit_rows(*self._check_rows(X, y, sample_weight))

    def fit_chunks(self, chunks: Iterable[GivenChunk] | Parts) -> Self:
        """Fit to rows in chunks, without keeping them all in memory.

        Parameters
        ----------
        chunks
            An iterable of (X, y) or (X, y, sample_weight) that can be iterated again, for
            example `gramian.scale.chunks` of a file: well conditioned data take one pass, others
            a few. The result does not depend on how the rows are divided into chunks.

        Returns
        -------
        self
        """
        return self._fit_rows(*self._check_chunks(chunks))

    def summarise(
        self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Summary:
        """Return the summary of these rows that `solve` needs; summaries can be merged.

        The estimator does not change.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.

        Returns
        -------
        Summary
        """
        bare = copy(self)
        summary = bare._check_rows(X, y, sample_weight)[0].summarise()
        return replace(summary, feature_names=getattr(bare, "feature_names_in_", None))

    def solve(self, summary: Summary) -> Self:
        """Fit from a summary, merged or not.

        Without the rows the solution cannot be refined, and it has about half as many correct
        digits for ill-conditioned columns.

        Parameters
        ----------
        summary
            Result of `summarise` or ``Summary.merge``.

        Returns
        -------
        self
        """
        raise NotImplementedError

    def _fit_rows(self, rows: Rows, dtype: npt.DTypeLike, one_target: bool) -> Self:
        raise NotImplementedError
