"""Predictions of generative classifiers from the scores s_k(x) = log P(C_k) + log p(x | C_k).

A native pass over the rows goes from scores to classes or posteriors at once, so that predicting
labels makes no table of n x K scores.
"""

from typing import Any, ClassVar, Protocol

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted

from gramian import _native
from gramian.base.conversions import parameter_array
from gramian.base.errors import ParameterError
from gramian.base.inputs.gate import check_new
from gramian.base.inputs.targets import Classes, Codes
from gramian.base.kinds import ModelFamily
from gramian.base.rows.native_table import native_table
from gramian.base.types import Data, Floats, Matrix, Table

_ONE = -(2.0**-25)  # above it, exp of a number is 1 in float32


class ClassScorer(Protocol):
    """Scores checked rows."""

    def joint(self, table: Data) -> Floats:
        """Return the scores, (n, K)."""
        ...

    def codes(self, table: Data) -> Codes:
        """Return the class with the highest score, (n,)."""
        ...

    def posterior(self, table: Data) -> Floats:
        """Return the probability of each class, (n, K)."""
        ...


class NativeScorer:
    """Finite linear scores, or those of Gaussian classes, by one native pass."""

    def __init__(self, native: _native.ClassScores, n_classes: int) -> None:
        self.native = native
        self.n_classes = n_classes

    def joint(self, table: Data) -> Floats:
        """Return the scores, (n, K)."""
        scores = np.empty((table.shape[0], self.n_classes))
        self.native.score(native_table(table), scores)
        return scores

    def codes(self, table: Data) -> Codes:
        """Return the class with the highest score, (n,)."""
        codes = np.empty(table.shape[0], dtype=np.int32)
        self.native.score(native_table(table), None, codes)
        return codes.astype(np.intp)

    def posterior(self, table: Data) -> Floats:
        """Return the probability of each class, (n, K)."""
        posterior = np.empty((table.shape[0], self.n_classes))
        self.native.score(native_table(table), None, None, None, posterior)
        return posterior

    def log_norm(self, table: Data) -> Floats:
        """Return the logarithm of the sum of exp(score) over the classes, (n,)."""
        log_norm = np.empty(table.shape[0])
        self.native.score(native_table(table), None, None, log_norm)
        return log_norm


class JointScorer:
    """Classes and posteriors from the scores of a subclass; some may be minus infinity."""

    def joint(self, table: Data) -> Floats:
        """Return the scores, (n, K)."""
        raise NotImplementedError

    def codes(self, table: Data) -> Codes:
        """Return the first class with the highest score, (n,)."""
        return np.asarray(self.joint(table).argmax(axis=1))

    def posterior(self, table: Data) -> Floats:
        """Return the probability of each class, (n, K)."""
        return np.exp(log_posterior(self.joint(table)))


class BlockedScorer(JointScorer):
    """Linear scores with a few infinite coefficients, which rule a class out.

    A coefficient of minus infinity counts where its column is not zero.
    """

    def __init__(self, offsets: Floats, coef: Floats, sparse: bool) -> None:
        self.finite = _linear(np.where(np.isfinite(offsets), offsets, 0.0), _finite(coef), sparse)
        self.blocks = _linear(np.isinf(offsets).astype(float), np.isinf(coef).astype(float), sparse)

    def joint(self, table: Data) -> Floats:
        """Return the scores, (n, K), minus infinity where a class is impossible."""
        scores = self.finite.joint(table)
        scores[self.blocks.joint(abs(table)) > 0] = -np.inf
        return scores


def linear_scorer(offsets: Floats, coef: Floats, *, sparse: bool) -> ClassScorer:
    """Return the scorer of s(x) = offsets + coef x, for dense or sparse rows."""
    if np.isfinite(coef).all() and np.isfinite(offsets).all():
        return _linear(offsets, coef, sparse)
    return BlockedScorer(offsets, coef, sparse)


def _finite(coef: Floats) -> Floats:
    return np.where(np.isfinite(coef), coef, 0.0)


def _linear(offsets: Floats, coef: Floats, sparse: bool) -> NativeScorer:
    factors = np.ascontiguousarray(coef.T if sparse else coef, dtype=np.float64)
    native = _native.ClassScores.linear(
        np.ascontiguousarray(offsets, dtype=np.float64), factors, by_column=sparse
    )
    return NativeScorer(native, len(offsets))


def log_posterior(joint: Floats) -> Floats:
    """Return log P(C_k | x) from the scores; all are equal if no class is possible."""
    top: Floats = joint.max(axis=1, keepdims=True)
    away = joint - np.where(np.isfinite(top), top, 0.0)
    away[~np.isfinite(top[:, 0])] = 0.0
    return np.asarray(away - np.log(np.exp(away).sum(axis=1, keepdims=True)))


def match_precision(values: Floats, table: Data) -> Matrix:
    """Return results for float32 rows as float32, others unchanged.

    Examples
    --------
    >>> match_precision(np.zeros(2), np.zeros((2, 1), dtype=np.float32)).dtype
    dtype('float32')
    """
    if table.dtype != np.float32:
        return values
    with np.errstate(over="ignore"):  # a logarithm may be below the range of float32
        return values.astype(np.float32)


def check_priors(owner: str, name: str, value: Any, n_classes: int, *, sum_one: bool) -> Floats:
    """Return prior probabilities given by the user, one per class."""
    priors = parameter_array(owner, name, value)
    if priors.shape != (n_classes,):
        raise ParameterError(
            f"{owner}: {name} must be {n_classes} numbers, one per class (the number of priors "
            f"must match the number of classes); got shape {priors.shape}."
        )
    if not np.isfinite(priors).all() or (priors < 0).any() or not priors.any():
        raise ParameterError(f"{owner}: {name} must be non-negative numbers; got {value!r}.")
    if sum_one and not np.isclose(priors.sum(), 1.0):
        raise ParameterError(
            f"{owner}: {name} must sum to 1 (the sum of the priors should be 1); got "
            f"{priors.sum():g}. Divide them by their sum."
        )
    return priors


class GenerativePrediction:
    """Adds the methods that predict, to a classifier that has `_scorer`."""

    model_family: ClassVar[ModelFamily | None] = "generative"

    classes_: Classes

    def _scorer(self, sparse: bool) -> ClassScorer:
        """Return the scorer for dense or for sparse rows."""
        raise NotImplementedError

    def _check_new(self: Any, X: Table) -> Data:
        return check_new(self, X)

    def _checked(self, X: Table) -> tuple[Data, ClassScorer]:
        check_is_fitted(self)
        table = self._check_new(X)
        return table, self._scorer(sp.issparse(table))

    def predict_joint_log_proba(self, X: Table) -> Matrix:
        """Return log P(C_k) + log p(x | C_k), the scores of the classes.

        Parameters
        ----------
        X : array or CSR of shape (m, d)
            The rows.

        Returns
        -------
        scores : array of shape (m, K)
        """
        table, scorer = self._checked(X)
        return match_precision(scorer.joint(table), table)

    def predict(self, X: Table) -> Classes:
        """Return the most probable class of each row.

        Parameters
        ----------
        X : array or CSR of shape (m, d)
            The rows.

        Returns
        -------
        labels : array of shape (m,)
        """
        table, scorer = self._checked(X)
        labels: Classes = self.classes_[scorer.codes(table)]
        return labels

    def predict_proba(self, X: Table) -> Matrix:
        """Return the posterior probability of each class.

        Parameters
        ----------
        X : array or CSR of shape (m, d)
            The rows.

        Returns
        -------
        p : array of shape (m, K)
        """
        table, scorer = self._checked(X)
        return match_precision(scorer.posterior(table), table)

    def predict_log_proba(self, X: Table) -> Matrix:
        """Return the logarithm of the posterior probability of each class.

        Of float32 rows it is 0 where the probability is 1 in float32.

        Parameters
        ----------
        X : array or CSR of shape (m, d)
            The rows.

        Returns
        -------
        log_p : array of shape (m, K)
        """
        table, scorer = self._checked(X)
        logs = match_precision(log_posterior(scorer.joint(table)), table)
        if logs.dtype == np.float32:
            logs[logs > _ONE] = 0.0
        return logs
