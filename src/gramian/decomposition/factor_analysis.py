"""Factor analysis."""

from typing import Literal, Self
from warnings import warn

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.conversions import parameter_array
from gramian.base.errors import ParameterError, caller_level
from gramian.base.fields import KW_ONLY, Array, Count, NonNegative, NonNegativeInt, Seed, params
from gramian.base.inputs.feature_names import check_terms
from gramian.base.inputs.gate import check_fit, check_new
from gramian.base.kinds import Transformer
from gramian.base.types import Floats, Matrix, Table
from gramian.decomposition.projection import (
    coordinates,
    gaussian_log_density,
)
from gramian.decomposition.rotation import rotate_loadings
from gramian.decomposition.singular_triplets import moments_of
from gramian.linalg.block_krylov import top_eigenpairs

_LEAST = 1e-8  # noise variance of a column that the factors explain, relative to its variance


@params
class FactorAnalysis(ClassNamePrefixFeaturesOutMixin, CallbackSupportMixin, Transformer):
    r"""Factor analysis: x = m + W'z + e, z ~ N(0, I_k), with independent noise e_i ~ N(0, psi_i).

    Then the covariance is W'W + diag(psi): Var(x_i) = sum_j w_ji^2 + psi_i, its communality and
    uniqueness, and Cov(x, z) = W'. Unlike in PCA, each column has its own noise, so the scale
    of the columns has no effect. The rows are read once, for their covariance; an iteration costs
    d^2 k for any number of rows. See Harman, *Modern Factor Analysis*, 1976; Barber, *Bayesian
    Reasoning and Machine Learning*, 2012, chapter 21.

    Parameters
    ----------
    n_components
        Number of factors k; None for d.
    tol
        Stop when an iteration increases the log-likelihood by less than this; with "principal",
        when no uniqueness changes by more than tol / 100.
    copy
        Ignored; present for scikit-learn compatibility: X is never changed.
    max_iter
        Maximum number of iterations.
    noise_variance_init
        Initial noise variances; None for half the variances of the columns.
    svd_method
        Ignored; present for scikit-learn compatibility: the rows are not decomposed.
    iterated_power
        Ignored; present for scikit-learn compatibility.
    rotation
        Rotation of the factors: "varimax", "quartimax" or None; it does not change the model.
    random_state
        Ignored; present for scikit-learn compatibility: nothing is random.
    method
        "ml" for maximum likelihood, with the loadings for given noise by eigenvectors; "em" for
        expectation maximisation, with smaller steps; "principal" for iterated principal factors of
        the correlations, least squares off the diagonal.

    Attributes
    ----------
    components_ : array (k, d)
        The loadings W.
    noise_variance_ : array (d,)
        Noise variances psi.
    mean_ : array (d,)
        Mean m.
    loglike_ : list of float
        Log-likelihood at the start and after each iteration.
    n_iter_ : int
        Number of iterations.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 1)) * [2.0, 1.0, 1.0] + rng.normal(size=(500, 3))
    >>> FactorAnalysis(1).fit(X).components_.round().tolist()
    [[2.0, 1.0, 1.0]]
    """

    parametric = True

    n_components: Count | None = None
    _: KW_ONLY
    tol: NonNegative = 1e-2
    copy: bool = True
    max_iter: Count = 1000
    noise_variance_init: Array | None = None
    svd_method: Literal["lapack", "randomized"] = "randomized"
    iterated_power: NonNegativeInt = 3
    rotation: Literal["varimax", "quartimax"] | None = None
    random_state: Seed = 0
    method: Literal["ml", "em", "principal"] = "ml"

    @with_callbacks
    def fit(self, X: Table, y: object = None) -> Self:
        """Fit the factors to the covariance of the rows.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows, at least two.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : the fitted estimator
        """
        table = check_fit(self, X, rows=2, values=False)
        n, d = table.shape
        k = d if self.n_components is None else int(self.n_components)
        if k > d:
            raise ParameterError(
                f"FactorAnalysis: n_components={k} must be at most n_features={d}."
            )
        summary = moments_of(self, table)
        S = summary.centred() / n
        variances = np.maximum(np.diag(S), 0.0)
        scale = np.where(variances > 0, np.sqrt(variances), 1.0)
        W, psi = self._iterate(S / np.outer(scale, scale), k, scale, n, Task.of(self, steps=None))
        W = W * scale
        if self.rotation is not None:
            W = rotate_loadings(W.T, self.rotation).loadings.T
        self.components_ = np.ascontiguousarray(W, dtype=table.dtype)
        self.noise_variance_ = (psi * scale**2).astype(table.dtype)
        self.mean_ = summary.means.astype(table.dtype)
        return self

    def transform(self, X: Table) -> Matrix:
        """Return the factor scores, the expected z of each row.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        Z : array of shape (m, k)
        """
        table = check_new(self, X)
        W, psi, scale = self._standardised()
        weighted = W / psi
        inner = np.eye(len(W)) + weighted @ W.T
        directions = np.linalg.solve(inner, weighted) / scale
        with np.errstate(over="ignore", invalid="ignore"):
            Z = coordinates(table, self.mean_, directions)
        check_terms(self, Z)
        return Z

    def get_covariance(self) -> Matrix:
        """Return the covariance of the model, W'W + diag(psi)."""
        check_is_fitted(self)
        W = self.components_
        return np.asarray(W.T @ W + np.diag(self.noise_variance_))

    def get_precision(self) -> Matrix:
        """Return the inverse of the covariance, by inverting a matrix of size k."""
        check_is_fitted(self)
        W, psi, scale = self._standardised()
        weighted = W / psi
        inner = np.eye(len(W)) + weighted @ W.T
        precision = np.diag(1 / psi) - weighted.T @ np.linalg.solve(inner, weighted)
        return np.asarray(precision / scale / scale[:, None])

    def score_samples(self, X: Table) -> Floats:
        """Return the logarithm of the density of each row under the model.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        log_density : array of shape (m,)
        """
        table = check_new(self, X)
        return gaussian_log_density(table, self.mean_, self.get_precision()).astype(table.dtype)

    def score(self, X: Table, y: object = None) -> float:
        """Return the mean logarithm of the density of the rows.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        score : float
        """
        return float(np.mean(self.score_samples(X)))

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def _standardised(self) -> tuple[Floats, Floats, Floats]:
        """Return the loadings and noise variances of standardised columns, and their scale.

        Noise variances are at least _LEAST, so that dividing by them is safe.
        """
        W, psi = self.components_.astype(np.float64), self.noise_variance_.astype(np.float64)
        scale = np.sqrt((W**2).sum(axis=0) + psi)
        scale = np.where(scale > 0, scale, 1.0)
        return W / scale, np.maximum(psi / scale**2, 1e-100), scale

    def _start(self, scale: Floats) -> Floats:
        """Return the initial noise variances of the standardised columns."""
        d = len(scale)
        if self.noise_variance_init is None:
            return np.full(d, 0.5)
        psi = parameter_array("FactorAnalysis", "noise_variance_init", self.noise_variance_init)
        if psi.shape != (d,) or not (psi > 0).all():
            raise ParameterError(
                f"FactorAnalysis: noise_variance_init must contain {d} positive numbers, one per "
                f"column; got shape {psi.shape}."
            )
        started: Floats = np.maximum(psi / scale**2, _LEAST)
        return started

    def _iterate(
        self, R: Floats, k: int, scale: Floats, n: int, task: Task
    ) -> tuple[Floats, Floats]:
        """Return loadings and noise variances of standardised columns with correlations R."""
        psi = self._start(scale)
        W = _principal(R, psi, k) if self.method == "principal" else _maximum_likelihood(R, psi, k)
        constant = len(scale) * np.log(2 * np.pi) + 2 * float(np.log(scale).sum())
        self.loglike_ = [-n / 2 * (_deviance(R, W, psi) + constant)]
        converged = False
        step = 0
        while step < self.max_iter:
            step += 1
            old = psi
            if self.method == "em":
                W, psi = _em_step(R, W, psi)
            else:
                # R has 0 instead of 1 on its diagonal if a column is constant.
                psi = np.maximum(np.diag(R) - (W**2).sum(axis=0), _LEAST)
                W = (
                    _principal(R, psi, k)
                    if self.method == "principal"
                    else _maximum_likelihood(R, psi, k)
                )
            self.loglike_.append(-n / 2 * (_deviance(R, W, psi) + constant))
            if self.method == "principal":
                converged = bool(np.abs(psi - old).max() <= self.tol / 100)
            else:
                converged = bool(self.loglike_[-1] - self.loglike_[-2] < self.tol)
            if task.iteration(dict) or converged:
                break
        self.n_iter_ = step
        if not converged and step == self.max_iter:
            warn(
                f"FactorAnalysis: did not converge after max_iter={self.max_iter} iterations; "
                "increase "
                "max_iter or tol.",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )
        task.done(dict)
        return W, psi


def _maximum_likelihood(R: Floats, psi: Floats, k: int) -> Floats:
    """Return the maximum likelihood loadings for given noise variances."""
    root = np.sqrt(psi)
    values, V = top_eigenpairs(R / np.outer(root, root), k)
    return np.asarray((V * np.sqrt(np.maximum(values - 1, 0.0))).T * root)


def _principal(R: Floats, psi: Floats, k: int) -> Floats:
    """Return the principal factors of the correlations with communalities on the diagonal."""
    values, V = top_eigenpairs(R - np.diag(psi), k)
    return np.asarray((V * np.sqrt(np.maximum(values, 0.0))).T)


def _em_step(R: Floats, W: Floats, psi: Floats) -> tuple[Floats, Floats]:
    """Make one EM step: expectation of the factors, then regression of the columns on them."""
    k = len(W)
    weighted = W / psi
    spread = np.linalg.inv(np.eye(k) + weighted @ W.T)  # Cov(z | x)
    scores = spread @ weighted  # E(z | x) = scores (x - m)
    cross = scores @ R
    loadings: Floats = np.asarray(np.linalg.solve(spread + cross @ scores.T, cross))
    return loadings, np.maximum(np.diag(R) - (loadings * cross).sum(axis=0), _LEAST)


def _deviance(R: Floats, W: Floats, psi: Floats) -> float:
    """Return log det C + trace(C^-1 R) for C = W'W + diag(psi)."""
    weighted = W / psi
    inner = np.eye(len(W)) + weighted @ W.T
    explained = np.trace(np.linalg.solve(inner, weighted @ R @ weighted.T))
    log_det = np.log(psi).sum() + np.linalg.slogdet(inner)[1]
    return float(log_det + (np.diag(R) / psi).sum() - explained)
