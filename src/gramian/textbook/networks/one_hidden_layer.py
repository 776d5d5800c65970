"""Gradients of networks with one hidden layer, as in textbooks.

Rows of X are inputs x, preceded by a 1 for the bias, W (hidden, inputs) are the weights of the
hidden units, V (outputs, hidden) those of the outputs; bias weights are their first columns.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import expit
from scipy.special import softmax as softmax_of

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats


@dataclass(frozen=True)
class HiddenLayerStep:
    """A forward and backward pass.

    Attributes
    ----------
    outputs
        y of each row, shape (n, outputs).
    cost
        E of the rows.
    change_in_W, change_in_V
        The changes of the weights: -eta times the gradient of E.
    """

    outputs: Floats
    cost: float
    change_in_W: Floats  # noqa: N815 - the letters of the book
    change_in_V: Floats  # noqa: N815


def sigmoid_layer_step(
    X: npt.ArrayLike,
    R: npt.ArrayLike,
    W: npt.ArrayLike,
    V: npt.ArrayLike,
    eta: float,
    *,
    task: Literal["regression", "classes"] = "regression",
) -> HiddenLayerStep:
    """Return the update of a network with sigmoid hidden units.

    ::

        z_h = s(w_h . x),     y_i = v_i . z           for regression, E = 1/2 sum_t |r - y|^2,
                              y = softmax(v_i . z)    for classes,    E = - sum_t sum_i r_i ln y_i,
        dv_ih = eta sum_t (r_i - y_i) z_h,
        dw_hj = eta sum_t [sum_i (r_i - y_i) v_ih] z_h (1 - z_h) x_j,

    the same for both (Alpaydin 2014, section 11.7).

    Parameters
    ----------
    X
        Inputs, shape (n, d).
    R
        Targets, shape (n, outputs); one-hot for classes.
    W
        Hidden weights, shape (h, d + 1), biases first.
    V
        Output weights, shape (outputs, h + 1), biases first.
    eta
        Learning rate.
    task
        "regression" or "classes".

    Returns
    -------
    HiddenLayerStep

    Examples
    --------
    >>> from gramian.textbook.networks import sigmoid_layer_step
    >>> step = sigmoid_layer_step([[1.0]], [[1.0]], [[0.0, 0.0]], [[0.0, 2.0]], 0.1)
    >>> step.outputs.tolist(), step.change_in_V.tolist()
    ([[1.0]], [[0.0, 0.0]])
    """
    if task not in ("regression", "classes"):
        raise ParameterError(
            f"sigmoid_layer_step: task must be 'regression' or 'classes'; got {task!r}."
        )
    x, r, W, V = _checked_arrays(X, R, W, V)
    z = _with_one(expit(x @ W.T))
    y = z @ V.T
    if task == "classes":
        log_y = y - np.logaddexp.reduce(y, axis=1, keepdims=True)
        y = softmax_of(y, axis=1)
        cost = -float((r * log_y).sum())
    else:
        cost = float(((r - y) ** 2).sum()) / 2
    error = r - y
    change_in_V = eta * error.T @ z
    passed_back = (error @ V)[:, 1:] * z[:, 1:] * (1 - z[:, 1:])
    return HiddenLayerStep(y, cost, eta * passed_back.T @ x, change_in_V)


def relu_softmax_gradients(
    x: npt.ArrayLike, y: npt.ArrayLike, V: npt.ArrayLike, W: npt.ArrayLike, penalty: float = 0.0
) -> tuple[Floats, Floats]:
    """Return the gradients of a ReLU and softmax network with an l2 penalty, for one row.

    ::

        h = max(0, V x),   z = softmax(W h),   E = -sum_k y_k ln z_k + l (|V|^2 + |W|^2),
        dE/dW = (z - y) h^T + 2 l W,
        dE/dV = [W^T (z - y) * 1(h > 0)] x^T + 2 l V.

    Parameters
    ----------
    x
        Input, shape (d,).
    y
        One-hot label, shape (k,).
    V
        Hidden weights, shape (m, d).
    W
        Output weights, shape (k, m).
    penalty
        Strength l of the penalty.

    Returns
    -------
    in_V, in_W : arrays of the shapes of V and W

    Examples
    --------
    >>> from gramian.textbook.networks import relu_softmax_gradients
    >>> in_V, in_W = relu_softmax_gradients([1.0], [1, 0], [[2.0]], [[0.0], [0.0]])
    >>> in_W.tolist()
    [[-1.0], [1.0]]
    """
    x, y, V, W = (np.asarray(a, dtype=np.float64) for a in (x, y, V, W))
    shapes = [array.shape for array in (x, y, V, W)]
    if [len(shape) for shape in shapes] != [1, 1, 2, 2] or shapes[2:] != [
        (len(V), len(x)),
        (len(y), len(V)),
    ]:
        raise DataError(
            "relu_softmax_gradients: the shapes must be x (d,), y (k,), V (m, d) and W (k, m); got "
            f"{', '.join(map(str, shapes))}."
        )
    h = np.maximum(0.0, V @ x)
    away = softmax_of(W @ h) - y
    in_W = np.outer(away, h) + 2 * penalty * W
    in_V = np.outer((W.T @ away) * (h > 0), x) + 2 * penalty * V
    return in_V, in_W


def _checked_arrays(
    X: npt.ArrayLike, R: npt.ArrayLike, W: npt.ArrayLike, V: npt.ArrayLike
) -> tuple[Floats, Floats, Floats, Floats]:
    x, r, w, v = (np.asarray(a, dtype=np.float64) for a in (X, R, W, V))
    good = x.ndim == r.ndim == w.ndim == v.ndim == 2 and len(x) == len(r)
    if not good or w.shape[1] != x.shape[1] + 1 or v.shape != (r.shape[1], len(w) + 1):
        raise DataError(
            "sigmoid_layer_step: the shapes must be X (n, d), R (n, k), W (h, d + 1) and "
            f"V (k, h + 1); got {x.shape}, {r.shape}, {w.shape} and {v.shape}."
        )
    return _with_one(x), r, w, v


def _with_one(X: Floats) -> Floats:
    return np.column_stack([np.ones(len(X)), X])
