"""The components of a Gaussian mixture: parameters, scores, and the maximisation step."""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from gramian import _native
from gramian.base.errors import DataError
from gramian.base.rows.class_scores import NativeScorer
from gramian.base.runtime import lapack
from gramian.base.types import Floats, Matrix

CovarianceType: TypeAlias = Literal["full", "tied", "diag", "spherical"]

_EMPTY = 10 * np.finfo(np.float64).eps  # added to the weight of a component, so that it is not 0


class Sums(NamedTuple):
    """Weights, and sums of (x - m_k) and of its products, weighted by the responsibilities.

    For "diag" and "spherical" the products are the squares (K, d), otherwise matrices (K, d, d).
    """

    weights: Floats
    first: Floats
    second: Floats


@dataclass(frozen=True)
class Components:
    """Weights (K,), means (K, d), and covariances in the shape of their type.

    `roots` are lower triangular W with W' W the precision, (K, d, d) or (1, d, d); for "diag" and
    "spherical" the square roots of the precisions, (K, d).
    """

    kind: CovarianceType
    weights: Floats
    means: Floats
    covariances: Floats
    roots: Floats

    @classmethod
    def of(
        cls, kind: CovarianceType, weights: Floats, means: Floats, covariances: Floats
    ) -> "Components":
        """Return the components; raise if a covariance is singular."""
        d = means.shape[1]
        if kind in ("diag", "spherical"):
            if not (covariances > 0).all():
                raise _singular()
            repeated = covariances if kind == "diag" else np.tile(covariances[:, None], d)
            return cls(kind, weights, means, covariances, 1 / np.sqrt(repeated))
        stack = covariances if kind == "full" else covariances[None]
        roots = np.zeros((len(stack), d, d))
        for k, S in enumerate(stack):
            L, info = lapack.cholesky(S)
            if info or not np.isfinite(L).all():
                raise _singular()
            roots[k] = lapack.inverse_of_lower(L)
        return cls(kind, weights, means, covariances, roots)

    @classmethod
    def of_fitted(
        cls,
        kind: CovarianceType,
        weights: Floats,
        means: Floats,
        covariances: Floats,
        precisions_cholesky: Floats,
    ) -> "Components":
        """Return components from fitted parameters and roots."""
        U = precisions_cholesky
        if kind == "spherical":
            roots = np.tile(U[:, None], means.shape[1])
        elif kind == "diag":
            roots = U
        else:
            roots = np.ascontiguousarray(np.swapaxes(U if kind == "full" else U[None], 1, 2))
        return cls(kind, weights, np.ascontiguousarray(means), covariances, roots)

    def offsets(self) -> Floats:
        """Return log weight - log|S| / 2 - d log(2 pi) / 2 of each component."""
        d = self.means.shape[1]
        diagonal = self.roots if self.roots.ndim == 2 else np.einsum("kjj->kj", self.roots)
        with np.errstate(divide="ignore"):  # a component that vanished
            log_weights = np.log(self.weights)
        log_det: Matrix = np.log(diagonal).sum(axis=1)
        return np.asarray(log_weights + log_det - 0.5 * d * np.log(2 * np.pi))

    def scorer(self) -> NativeScorer:
        """Return the native scorer of log(weight) + log N(x; mean, covariance)."""
        offsets = np.ascontiguousarray(self.offsets())
        if self.roots.ndim == 2:
            native = _native.ClassScores.diagonal(offsets, self.means, self.roots**2)
        else:
            native = _native.ClassScores.quadratic(offsets, self.means, self.roots, lower=True)
        return NativeScorer(native, len(offsets))

    def full(self) -> Floats:
        """Return the covariances as matrices, (K, d, d)."""
        K, d = self.means.shape
        if self.kind == "full":
            return self.covariances
        if self.kind == "tied":
            return np.broadcast_to(self.covariances, (K, d, d))
        repeated = (
            self.covariances if self.kind == "diag" else np.tile(self.covariances[:, None], d)
        )
        return np.asarray(repeated[:, :, None] * np.eye(d))

    def precisions_cholesky(self) -> Floats:
        """Return upper triangular U with U U' the precision, as in scikit-learn."""
        if self.kind == "spherical":
            return np.ascontiguousarray(self.roots[:, 0])
        if self.kind == "diag":
            return self.roots
        upper = np.ascontiguousarray(np.swapaxes(self.roots, 1, 2))
        return upper if self.kind == "full" else upper[0]

    def precisions(self) -> Floats:
        """Return the inverse covariances, in the shape of their type."""
        U = self.precisions_cholesky()
        return U**2 if self.roots.ndim == 2 else U @ np.swapaxes(U, -1, -2)

    def n_parameters(self) -> int:
        """Return the number of free parameters."""
        K, d = self.means.shape
        of_covariances = {
            "full": K * d * (d + 1) // 2,
            "tied": d * (d + 1) // 2,
            "diag": K * d,
            "spherical": K,
        }
        return int(of_covariances[self.kind] + K * d + K - 1)


def maximised(
    kind: CovarianceType, means: Floats, sums: Sums, reg_covar: float, total: Floats | None = None
) -> Components:
    """Return the components that maximise the expected likelihood.

    `sums` are about `means`. For "tied", `total` is the scatter of all rows about their mean,
    unless sums.second contains it.
    """
    weights = sums.weights + _EMPTY
    away = sums.first / weights[:, None]
    found = means + away
    d = means.shape[1]
    if kind == "full":
        outer = away[:, :, None] * away[:, None, :]
        covariances = sums.second / weights[:, None, None] - outer + reg_covar * np.eye(d)
    elif kind == "tied":
        if total is None:
            moved = np.einsum("k,ki,kj->ij", weights, away, away)
            scatter = sums.second.sum(axis=0) - moved
        else:
            apart = found - weights @ found / weights.sum()
            scatter = total - (apart.T * weights) @ apart
        covariances = scatter / weights.sum() + reg_covar * np.eye(d)
    else:
        covariances = np.maximum(sums.second / weights[:, None] - away**2, 0.0) + reg_covar
        if kind == "spherical":
            covariances = covariances.mean(axis=1)
    return Components.of(kind, weights / weights.sum(), found, covariances)


def _singular() -> DataError:
    return DataError(
        "GaussianMixture: a component has a singular covariance: its rows are equal or "
        "lie in a plane. Decrease n_components, scale the columns, or increase reg_covar."
    )
