"""Cross-entropy losses, binary and multiclass, of probabilities and of scores.

`BinaryCrossEntropy` and `CrossEntropy` take probabilities; `Logistic` and `Softmax` are the same
losses of the scores behind them, computed so that no score overflows. Fit with the latter.
"""

import numpy as np
import numpy.typing as npt
from scipy.special import expit, log_softmax, softmax, xlog1py, xlogy

from gramian.base.types import Floats, Matrix
from gramian.objectives.loss import Loss


class Logistic(Loss):
    """The logistic loss: binary cross-entropy of the probability s(z) = 1 / (1 + exp(-z)).

    ::

        L = -y ln s(z) - (1 - y) ln(1 - s(z)) = ln(1 + exp(z)) - y z
        dL/dz = s(z) - y,    d2L/dz2 = s(z) (1 - s(z)) <= 1/4

    Targets are probabilities in [0, 1], so hard labels are 0 and 1. Some texts omit the leading
    minus, or use labels -1 and 1, for which see `LogitMargin`.

    Examples
    --------
    >>> Logistic().value([0.0, 1.0], [1000.0, 1000.0])
    array([1000.,    0.])
    >>> float(Logistic().mean(0.0))
    0.5
    """

    targets = "unit"

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return ln(1 + exp(z)) - y z, without overflow."""
        z = np.asarray(z, dtype=float)
        # ln(1 + e^z) - y z = max(z, 0) - y z + ln(1 + e^-|z|); for z > 0 this is (1 - y) z + ...
        return np.where(z > 0, np.subtract(1.0, y), np.negative(y)) * z + np.log1p(
            np.exp(-np.abs(z))
        )

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return s(z) - y."""
        return self.mean(z) - np.asarray(y)

    def curvature(self, y: Floats, z: Floats) -> Floats:
        """Return s(z) (1 - s(z))."""
        z = np.asarray(z, dtype=float)
        return np.broadcast_to(expit(z) * expit(-z), np.broadcast(y, z).shape)

    @property
    def curvature_bound(self) -> float:
        """1/4, at z = 0."""
        return 0.25

    def mean(self, z: Floats) -> Floats:
        """Return the probability s(z)."""
        return np.asarray(expit(np.asarray(z, dtype=float)))

    def best_constant(self, y: Floats, weights: Floats | None) -> Floats:
        """Return the log odds of the weighted mean."""
        return log_odds(y, weights)


class Softmax(Loss):
    """Cross-entropy of the probabilities p = softmax(z) of K classes.

    ::

        p_k = exp(z_k) / sum_j exp(z_j),    L = -sum_k y_k ln p_k
        dL/dz_k = p_k - y_k,    d2L/dz_j dz_k = p_j ([j = k] - p_k)

    Scores have a last axis of length K. Targets are class numbers, or rows of probabilities (soft
    or one-hot). With K = 2 this is `Logistic` of the difference of the scores. Adding one number
    to all scores of a row changes nothing, so the Hessian is singular along that direction.

    Examples
    --------
    >>> Softmax().value([1], [[0.0, np.log(3.0)]]).round(4), Softmax().mean([[0.0, np.log(3.0)]])
    (array([0.2877]), array([[0.25, 0.75]]))
    """

    targets = "classes"

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return -sum_k y_k ln p_k."""
        z = np.asarray(z, dtype=float)
        return np.asarray(-np.sum(_one_hot(y, z.shape[-1]) * log_softmax(z, axis=-1), axis=-1))

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return p - y, with the shape of z."""
        z = np.asarray(z, dtype=float)
        return self.mean(z) - _one_hot(y, z.shape[-1])

    def curvature(self, y: Floats, z: Floats) -> Floats:
        """Return diag(p) - p p', a matrix for each row of z."""
        del y
        p = self.mean(z)
        return p[..., :, None] * np.eye(p.shape[-1]) - p[..., :, None] * p[..., None, :]

    def own_curvature(self, y: Floats, z: Floats) -> Floats:
        """Return p_k (1 - p_k), with the shape of z."""
        del y
        p = self.mean(z)
        return p * (1 - p)

    @property
    def curvature_bound(self) -> float:
        """1/2, the largest eigenvalue of diag(p) - p p' (Boehning 1992)."""
        return 0.5

    def mean(self, z: Floats) -> Floats:
        """Return the probabilities softmax(z)."""
        return np.asarray(softmax(np.asarray(z, dtype=float), axis=-1))

    def best_constant(self, y: Floats, weights: Floats | None) -> Floats:
        """Return the logarithms of the classes' proportions, with mean 0; class numbers only."""
        counts = np.bincount(np.asarray(y, dtype=np.intp), weights=weights)
        logs = np.log(np.maximum(counts / counts.sum(), np.finfo(float).eps))
        return np.asarray(logs - logs.mean())


class BinaryCrossEntropy(Loss):
    """Cross-entropy of a probability z itself.

    ::

        L = -y ln z - (1 - y) ln(1 - z),    dL/dz = (z - y) / (z (1 - z))

    Both y and z lie in [0, 1]; the loss is infinite if z is certain and wrong. To fit a model use
    `Logistic`, which is this loss after the sigmoid and cannot overflow.

    Examples
    --------
    >>> BinaryCrossEntropy().value([1.0, 0.5], [1.0, 0.5]).round(4)
    array([-0.    ,  0.6931])
    """

    targets = "unit"

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return -y ln z - (1 - y) ln(1 - z)."""
        return np.asarray(-xlogy(y, z) - xlog1py(np.subtract(1.0, y), np.negative(z)))

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return (z - y) / (z (1 - z))."""
        z = np.asarray(z, dtype=float)
        return (z - y) / (z * (1 - z))

    def curvature(self, y: Floats, z: Floats) -> Floats:
        """Return y / z^2 + (1 - y) / (1 - z)^2."""
        z = np.asarray(z, dtype=float)
        return y / z**2 + np.subtract(1.0, y) / (1 - z) ** 2


class CrossEntropy(Loss):
    """Cross-entropy of a row of probabilities z.

    ::

        L = -sum_k y_k ln z_k,    dL/dz_k = -y_k / z_k

    Targets are class numbers or rows of probabilities. To fit a model use `Softmax`.

    Examples
    --------
    >>> CrossEntropy().value([[0.0, 1.0]], [[0.5, 0.5]]).round(4)
    array([0.6931])
    """

    targets = "classes"

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return -sum_k y_k ln z_k."""
        z = np.asarray(z, dtype=float)
        return np.asarray(-np.sum(xlogy(_one_hot(y, z.shape[-1]), z), axis=-1))

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return -y_k / z_k."""
        z = np.asarray(z, dtype=float)
        return -_one_hot(y, z.shape[-1]) / z

    def curvature(self, y: Floats, z: Floats) -> Floats:
        """Return diag(y_k / z_k^2), a matrix for each row of z."""
        diagonal = self.own_curvature(y, z)
        return diagonal[..., :, None] * np.eye(diagonal.shape[-1])

    def own_curvature(self, y: Floats, z: Floats) -> Floats:
        """Return y_k / z_k^2, with the shape of z."""
        z = np.asarray(z, dtype=float)
        return np.asarray(_one_hot(y, z.shape[-1]) / z**2)


def _one_hot(y: npt.ArrayLike, classes: int) -> Floats:
    """Return targets as rows of probabilities."""
    y = np.asarray(y)
    if y.ndim == 2:
        return np.asarray(y, dtype=float)
    return np.asarray(y[:, None] == np.arange(classes), dtype=float)


def logistic_losses(y: Matrix, z: Matrix) -> tuple[Matrix, Matrix]:
    """Return probabilities and losses of `Logistic` in one pass, in the precision of z.

    Examples
    --------
    >>> p, losses = logistic_losses(np.zeros(2, np.float32), np.array([0.0, -200.0], np.float32))
    >>> p, losses.round(4)
    (array([0.5, 0. ], dtype=float32), array([0.6931, 0.    ], dtype=float32))
    """
    e = np.exp(-np.abs(z))
    p = np.where(z >= 0, 1, e) / (1 + e)
    return p.astype(z.dtype, copy=False), np.log(1 + e) + np.maximum(z, 0) - y * z


def log_odds(y: Floats, weights: Floats | None) -> Floats:
    """Return ln(p / (1 - p)) of the weighted mean p, kept away from 0 and 1 by rounding."""
    eps = np.finfo(float).eps
    p = np.clip(np.average(y, weights=weights), eps, 1 - eps)
    return np.array([np.log(p / (1 - p))])
