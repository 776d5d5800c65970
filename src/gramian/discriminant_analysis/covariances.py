"""Class covariances: shrunken, structured, or from a covariance estimator."""

from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.linalg
from sklearn.base import clone
from sklearn.covariance import ledoit_wolf

from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.targets import Codes
from gramian.base.kinds import Estimator
from gramian.base.rows.class_moments import ClassMoments
from gramian.base.runtime import lapack
from gramian.base.types import Data, Floats, Weights

Shrinkage: TypeAlias = Literal["auto"] | float | None
_MAX_SCALE_RATIO = 30.0  # ratio of column scales beyond which eigenvalues need the Jacobi method
_MIN_OWN_PART = 1e-7  # smaller pivots, relative to the column's scale, are rounding errors

Structure: TypeAlias = Literal["full", "diagonal", "isotropic"]


def structured(covariance: Floats, structure: str) -> Floats:
    """Return the covariance with the structure "full", "diagonal" or "isotropic"."""
    d = len(covariance)
    if structure == "diagonal":
        return np.diag(np.diag(covariance))
    if structure == "isotropic":
        return np.asarray(np.eye(d) * (np.trace(covariance) / d))
    return covariance


def shrunken(covariance: Floats, shrinkage: float) -> Floats:
    """Return (1 - s) S + s (tr S / d) I."""
    d = len(covariance)
    mean: float = np.trace(covariance) / d
    return np.asarray((1 - shrinkage) * covariance + shrinkage * mean * np.eye(d))


def principal_axes(covariance: Floats) -> tuple[Floats, Floats]:
    """Return the variances along the principal axes, ascending, and the axes as columns.

    If the scales of the columns differ widely, the Jacobi method on a triangular factor gives small
    variances as many correct digits as large ones (Demmel and Veselic 1992).
    """
    spread = np.sqrt(np.diag(covariance))
    least, most = float(spread.min(initial=np.inf)), float(spread.max(initial=0.0))
    if least > 0 and most > _MAX_SCALE_RATIO * least:
        factor, failed = scipy.linalg.lapack.dpotrf(covariance / spread / spread[:, None], lower=1)
        if not failed and np.diag(factor).min() > _MIN_OWN_PART:
            upper = np.asfortranarray(np.tril(factor).T * spread)
            sizes, _, axes, work, _, failed = scipy.linalg.lapack.dgejsv(upper, joba=0, jobu=3)
            if not failed:
                values = (sizes * (work[0] / work[1])) ** 2
                return np.asarray(values[::-1]), np.ascontiguousarray(axes[:, ::-1])
    return lapack.eigh(covariance)


def class_covariances(
    estimator: Estimator,
    table: Data,
    codes: Codes,
    weights: Weights | None,
    moments: ClassMoments,
    shrinkage: Shrinkage,
    covariance_estimator: Any,
) -> list[Floats]:
    """Return the covariance of each class, divided by the weight of its rows."""
    if shrinkage == "auto" or covariance_estimator is not None:
        check_unweighted(estimator, weights)
        groups = [table[codes == k] for k in range(len(moments.classes))]
        return [
            estimate_covariance(estimator, rows, shrinkage, covariance_estimator) for rows in groups
        ]
    totals = np.where(moments.weights > 0, moments.weights, 1.0)
    plain = [moments.scatter(k) / weight for k, weight in enumerate(totals)]
    return [shrunken(S, float(shrinkage or 0.0)) for S in plain]


def estimate_covariance(
    estimator: Estimator, rows: Data, shrinkage: Shrinkage, covariance_estimator: Any
) -> Floats:
    """Return the covariance of the rows by Ledoit and Wolf, or by `covariance_estimator`."""
    name = type(estimator).__name__
    if covariance_estimator is not None:
        if shrinkage not in (None, 0):
            raise ParameterError(
                f"{name}: covariance_estimator and shrinkage are both set; only one of the two can "
                "be set."
            )
        fitted = clone(covariance_estimator).fit(rows)
        if not hasattr(fitted, "covariance_"):
            raise ParameterError(
                f"{name}: {type(covariance_estimator).__name__} does not have a covariance_ "
                "attribute after fit; pass a covariance estimator, see sklearn.covariance."
            )
        return np.atleast_2d(np.asarray(fitted.covariance_, dtype=np.float64))
    double = np.asarray(rows, dtype=np.float64)
    scale: Floats = double.std(axis=0)
    scale[scale == 0] = 1.0
    shrunk, _ = ledoit_wolf((double - double.mean(axis=0)) / scale)
    return np.asarray(scale[:, None] * shrunk * scale)


def check_unweighted(estimator: Estimator, weights: Weights | None) -> None:
    """Raise if weights are given, for methods that do not support them."""
    if weights is not None:
        raise ParameterError(
            f"{type(estimator).__name__}: shrinkage='auto' and covariance_estimator do not support "
            "sample_weight; repeat the rows, or set shrinkage to a number."
        )


def check_finite_moments(estimator: Estimator, squares: Floats) -> None:
    """Raise if sums of squares overflowed."""
    if not np.isfinite(squares).all():
        raise DataError(
            f"{type(estimator).__name__}: the sums of squares of X overflow. Scale "
            "the columns, see sklearn.preprocessing.StandardScaler."
        )


def positive_signs(columns: Floats) -> Any:
    """Return the signs that make the largest entry of each column positive."""
    if not columns.size:
        return 1.0
    largest: npt.NDArray[np.intp] = np.abs(columns).argmax(axis=0)
    return np.where(columns[largest, np.arange(columns.shape[1])] < 0, -1.0, 1.0)
