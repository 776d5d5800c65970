"""Backpropagation on a computational graph, with gradient checks.

A node has an array, the nodes it was computed from, and a function from the derivative of E with
respect to it to those of its inputs. The forward pass happens when nodes are created.
`Node.backward` visits the graph once in reverse order and sums the chain rule over all edges that
leave a node:

    dE/du = sum over the v that u feeds of  dE/dv dv/du.

The cost is that of the forward pass, proportional to the number of edges. `gradient_check` compares
with differences (E(w + h) - E(w - h)) / 2h, which need two forward passes per weight: the number of
edges squared. Rumelhart, Hinton and Williams 1986; Goodfellow, Bengio and Courville 2016, section
6.5.
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.types import Floats

__all__ = [
    "Node",
    "cross_entropy",
    "finite_differences",
    "gradient_check",
    "l2_penalty",
    "relu",
    "sigmoid",
    "softmax",
    "squared_error",
    "tanh",
]

Backward: TypeAlias = Callable[[Floats], tuple[Floats, ...]]  # from dE/dv to dE/du of the inputs u


class Node:
    """An array in a computational graph; ``+``, ``-``, ``*`` and ``@`` accept nodes and arrays.

    Parameters
    ----------
    value
        The array.
    inputs
        The nodes it was computed from; none for data and weights.
    backward_step
        From dE/dvalue to the derivative with respect to each input.

    Attributes
    ----------
    value : array
        The array.
    gradient : array
        dE/dvalue after `backward` of E, zero before.

    Examples
    --------
    >>> from gramian.textbook.networks.backprop import Node, squared_error
    >>> w = Node([[2.0]])
    >>> E = squared_error(Node([[3.0]]) @ w, [[5.0]])  # (6 - 5)^2 / 2
    >>> E.backward()
    >>> float(E.value), w.gradient.tolist()
    (0.5, [[3.0]])
    """

    def __init__(
        self,
        value: npt.ArrayLike,
        inputs: tuple["Node", ...] = (),
        backward_step: Backward | None = None,
    ) -> None:
        self.value: Floats = np.array(value, dtype=np.float64)
        self.gradient: Floats = np.zeros_like(self.value)
        self._inputs = inputs
        self._backward_step = backward_step

    def backward(self) -> None:
        """Compute dE/du of every node u that this number E depends on."""
        if self.value.size != 1:
            raise ValueError(f"backward must start at a scalar; got shape {self.value.shape}.")
        order = _topological(self)
        for node in order:
            node.gradient = np.zeros_like(node.value)
        self.gradient = np.ones_like(self.value)
        for node in reversed(order):
            if node._backward_step is not None:
                for u, part in zip(node._inputs, node._backward_step(node.gradient), strict=True):
                    u.gradient = u.gradient + part

    __array_ufunc__ = None  # an array on the left then defers to the node's operators

    def __matmul__(self, right: "Node | npt.ArrayLike") -> "Node":
        other = _node(right)

        def step(g: Floats) -> tuple[Floats, ...]:
            return g @ other.value.T, self.value.T @ g

        return Node(self.value @ other.value, (self, other), step)

    def __rmatmul__(self, left: npt.ArrayLike) -> "Node":
        return Node(left) @ self

    def __add__(self, right: "Node | npt.ArrayLike") -> "Node":
        other = _node(right)

        def step(g: Floats) -> tuple[Floats, ...]:
            return _summed(g, self.value.shape), _summed(g, other.value.shape)

        return Node(self.value + other.value, (self, other), step)

    __radd__ = __add__

    def __sub__(self, right: "Node | npt.ArrayLike") -> "Node":
        return self + _node(right) * -1.0

    def __rsub__(self, left: npt.ArrayLike) -> "Node":
        return self * -1.0 + left

    def __mul__(self, right: "Node | npt.ArrayLike") -> "Node":
        other = _node(right)

        def step(g: Floats) -> tuple[Floats, ...]:
            left, right = g * other.value, g * self.value
            return _summed(left, self.value.shape), _summed(right, other.value.shape)

        return Node(self.value * other.value, (self, other), step)

    __rmul__ = __mul__


def _node(operand: Node | npt.ArrayLike) -> Node:
    return operand if isinstance(operand, Node) else Node(operand)


def _topological(last: Node) -> list[Node]:
    """Return the nodes that a node depends on, in topological order."""
    order: list[Node] = []
    seen: set[int] = set()
    stack = [(last, False)]
    while stack:
        node, inputs_done = stack.pop()
        if inputs_done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((u, False) for u in node._inputs)
    return order


def _summed(g: Floats, shape: tuple[int, ...]) -> Floats:
    """Sum the gradient over broadcast axes."""
    g = g.sum(axis=tuple(range(g.ndim - len(shape))))
    repeated = tuple(i for i, n in enumerate(shape) if n == 1 and g.shape[i] != 1)
    return np.asarray(g.sum(axis=repeated, keepdims=True))


def sigmoid(x: Node) -> Node:
    """Return s = 1 / (1 + e^-x), whose derivative is s(1 - s)."""
    s = np.exp(-np.logaddexp(0.0, -x.value))
    return Node(s, (x,), lambda g: (g * s * (1 - s),))


def tanh(x: Node) -> Node:
    """Return tanh(x), whose derivative is 1 - tanh(x)^2."""
    t = np.tanh(x.value)
    return Node(t, (x,), lambda g: (g * (1 - t**2),))


def relu(x: Node) -> Node:
    """Return max(0, x), whose derivative is 1 for x > 0, and here 0 at 0."""
    return Node(np.maximum(x.value, 0.0), (x,), lambda g: (g * (x.value > 0),))


def softmax(x: Node) -> Node:
    """Return y_i = e^(x_i) / sum_j e^(x_j) of each row; dy_i/dx_j = y_i (1(i = j) - y_j)."""
    y = np.exp(x.value - x.value.max(axis=1, keepdims=True))
    y /= y.sum(axis=1, keepdims=True)
    return Node(y, (x,), lambda g: (y * (g - (g * y).sum(axis=1, keepdims=True)),))


def squared_error(z: Node, y: npt.ArrayLike) -> Node:
    """Return the mean over rows of |z - y|^2 / 2."""
    away = z.value - _targets("squared_error", y, z)
    n = len(away)
    return Node((away**2).sum() / (2 * n), (z,), lambda g: (g * away / n,))


def cross_entropy(scores: Node, y: npt.ArrayLike) -> Node:
    """Return the mean over rows of -sum_k y_k ln softmax(scores)_k; the gradient is (z - y) / n."""
    target = _targets("cross_entropy", y, scores)
    shifted = scores.value - scores.value.max(axis=1, keepdims=True)
    log_z = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    n, total = len(target), target.sum(axis=1, keepdims=True)
    return Node(
        -(target * log_z).sum() / n,
        (scores,),
        lambda g: (g * (np.exp(log_z) * total - target) / n,),
    )


def _targets(owner: str, y: npt.ArrayLike, outputs: Node) -> Floats:
    """Return targets with the shape of the outputs; NumPy would broadcast others."""
    target = np.asarray(y, dtype=np.float64)
    if target.shape != outputs.value.shape or target.ndim != 2:
        raise DataError(
            f"{owner}: y must be a matrix of the shape of the outputs, {outputs.value.shape}, "
            f"one-hot for classes; got shape {target.shape}."
        )
    return target


def l2_penalty(weights: Iterable[Node], strength: float) -> Node:
    """Return strength times the sum of all squared weights."""
    nodes = tuple(weights)
    total = strength * sum(float((w.value**2).sum()) for w in nodes)
    return Node(total, nodes, lambda g: tuple(2 * strength * g * w.value for w in nodes))


def finite_differences(loss: Callable[[], Node], w: Node, step: float = 1e-5) -> Floats:
    """Return dE/dw by central differences: two forward passes for each weight.

    `loss` rebuilds the graph from the current values and returns E.
    """
    slopes = np.empty_like(w.value)
    for place in np.ndindex(*w.value.shape):
        before = w.value[place]
        w.value[place] = before + step
        above = float(loss().value)
        w.value[place] = before - step
        slopes[place] = (above - float(loss().value)) / (2 * step)
        w.value[place] = before
    return slopes


def gradient_check(loss: Callable[[], Node], weights: Iterable[Node], step: float = 1e-5) -> float:
    """Return the largest difference between backpropagation and finite differences.

    Differences are relative to the larger of 1 and the largest gradient.

    Parameters
    ----------
    loss
        Function that builds the graph from the current weights and returns E.
    weights
        The nodes whose gradients are compared.
    step
        h of the differences.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.textbook.networks.backprop import Node, gradient_check, squared_error, tanh
    >>> rng = np.random.default_rng(0)
    >>> X, y, w = rng.normal(size=(5, 3)), rng.normal(size=(5, 1)), Node(rng.normal(size=(3, 1)))
    >>> gradient_check(lambda: squared_error(tanh(Node(X) @ w), y), [w]) < 1e-8
    True
    """
    weights = list(weights)
    loss().backward()
    found = [w.gradient.copy() for w in weights]
    scale = max([1.0, *(float(np.abs(g).max()) for g in found)])
    slow = [finite_differences(loss, w, step) for w in weights]
    worst = (float(np.abs(a - b).max()) for a, b in zip(found, slow, strict=True))
    return max(worst, default=0.0) / scale
