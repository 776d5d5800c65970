"""Labelled rows for discriminant analysis, in memory or in chunks."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from gramian import _native
from gramian.base.errors import ParameterError
from gramian.base.inputs.targets import Classes, Codes
from gramian.base.kinds import Estimator
from gramian.base.rows.class_moments import ClassMoments
from gramian.base.rows.column_moments import ColumnMoments, narrow
from gramian.base.rows.label_chunks import LabelChunks
from gramian.base.rows.label_moments import columns_of, moments_of
from gramian.base.rows.moments import merged_roots
from gramian.base.rows.native_table import native_table
from gramian.base.rows.parts import add
from gramian.base.runtime import lapack
from gramian.base.types import Data, Floats, Weights
from gramian.discriminant_analysis.covariances import (
    Shrinkage,
    check_unweighted,
    class_covariances,
    estimate_covariance,
    shrunken,
)


@dataclass(frozen=True)
class LabelledTable:
    """Rows in memory."""

    table: Data
    codes: Codes
    classes: Classes
    weights: Weights | None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.table.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.table.shape[1])

    @property
    def class_counts(self) -> Any:
        """Number of rows of each class."""
        return np.bincount(self.codes, minlength=len(self.classes))

    def columns(self) -> ColumnMoments:
        """Return the moments of the columns in each class."""
        return ColumnMoments.of(self.table, self.codes, len(self.classes), self.weights)

    def moments(self) -> ClassMoments:
        """Return the moments of each class."""
        return ClassMoments.of(self.table, self.codes, len(self.classes), self.weights)

    def within_scatter(self, means: Floats) -> Floats:
        """Return the scatter of the rows about the means of their classes."""
        return _within_gram(self.table, self.codes, self.weights, means)

    def within_axes(self, means: Floats, std: Floats, total: float) -> tuple[Floats, Floats]:
        """Return the singular values and vectors of the rows standardised within classes."""
        _, values, axes = lapack.svd(
            _standardised(self.table, self.codes, self.weights, means, std, total)
        )
        return values, axes

    def covariances(
        self,
        estimator: Estimator,
        moments: ClassMoments,
        shrinkage: Shrinkage,
        covariance_estimator: Any,
    ) -> list[Floats]:
        """Return the covariance of each class."""
        return class_covariances(
            estimator,
            self.table,
            self.codes,
            self.weights,
            moments,
            shrinkage,
            covariance_estimator,
        )

    def total(
        self, estimator: Estimator, shrinkage: Shrinkage, covariance_estimator: Any
    ) -> Floats:
        """Return the covariance of all rows."""
        if shrinkage == "auto" or covariance_estimator is not None:
            check_unweighted(estimator, self.weights)
            return estimate_covariance(estimator, self.table, shrinkage, covariance_estimator)
        one = ClassMoments.of(self.table, np.zeros_like(self.codes), 1, self.weights)
        return shrunken(one.scatter(0) / one.weights[0], float(shrinkage or 0.0))


@dataclass(frozen=True)
class LabelledChunks:
    """Rows in chunks; every method is one pass."""

    rows: LabelChunks

    @property
    def classes(self) -> Classes:
        """The labels."""
        return self.rows.classes

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.rows.row_counts.sum())

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return self.rows.chunks.n_features

    @property
    def class_counts(self) -> Any:
        """Number of rows of each class."""
        return self.rows.row_counts

    def columns(self) -> ColumnMoments:
        """Return the moments of the columns in each class."""
        return self.rows.total(columns_of, ColumnMoments.merge)

    def moments(self) -> ClassMoments:
        """Return the moments of each class."""
        return self.rows.total(moments_of, ClassMoments.merge)

    def within_scatter(self, means: Floats) -> Floats:
        """Return the scatter of the rows about the means of their classes."""
        return self.rows.total(partial(_sum_within, means), add)

    def within_axes(self, means: Floats, std: Floats, total: float) -> tuple[Floats, Floats]:
        """Return the singular values and vectors of the rows standardised within classes."""
        R = self.rows.total(partial(_merge_factors, means, std, total), merged_roots)
        _, values, axes = lapack.svd(R)
        return values, axes

    def covariances(
        self,
        estimator: Estimator,
        moments: ClassMoments,
        shrinkage: Shrinkage,
        covariance_estimator: Any,
    ) -> list[Floats]:
        """Return the covariance of each class."""
        _check_chunk_options(estimator, shrinkage, covariance_estimator)
        totals = np.where(moments.weights > 0, moments.weights, 1.0)
        plain = [moments.scatter(k) / weight for k, weight in enumerate(totals)]
        return [shrunken(S, float(shrinkage or 0.0)) for S in plain]

    def total(
        self, estimator: Estimator, shrinkage: Shrinkage, covariance_estimator: Any
    ) -> Floats:
        """Return the covariance of all rows."""
        _check_chunk_options(estimator, shrinkage, covariance_estimator)
        whole = self.moments().total()
        return shrunken(whole.centred() / whole.weight, float(shrinkage or 0.0))


def _check_chunk_options(
    estimator: Estimator, shrinkage: Shrinkage, covariance_estimator: Any
) -> None:
    if shrinkage == "auto" or covariance_estimator is not None:
        raise ParameterError(
            f"{type(estimator).__name__}: fit_chunks does not support shrinkage='auto' and "
            "covariance_estimator, which need all rows; set shrinkage to a number, or use fit."
        )


def _within_gram(table: Data, codes: Codes, weights: Weights | None, means: Floats) -> Floats:
    d = table.shape[1]
    gram = np.zeros((d + 1, d + 1))
    _native.within_gram(native_table(table), narrow(codes), weights, means, gram)
    return gram[:-1, :-1]


def _standardised(
    table: Data, codes: Codes, weights: Weights | None, means: Floats, std: Floats, total: float
) -> Floats:
    rows: Floats = (table - means[codes]) / std / np.sqrt(total)
    if weights is not None:
        rows *= np.sqrt(weights)[:, None]
    return rows


def _sum_within(means: Floats, rows: LabelChunks) -> Floats:
    d = means.shape[1]
    gram: Floats = np.zeros((d, d))
    for X, codes, weights in rows:
        gram = gram + _within_gram(X, codes, weights, means)
    return gram


def _merge_factors(means: Floats, std: Floats, total: float, rows: LabelChunks) -> Floats:
    d = means.shape[1]
    R: Floats = np.zeros((d, d))
    for X, codes, weights in rows:
        R = merged_roots(R, _standardised(X, codes, weights, means, std, total))
    return R
