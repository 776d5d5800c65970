"""The l_q penalty and the l_q ball."""

import numpy as np

from gramian.base.errors import ParameterError
from gramian.base.types import Floats
from gramian.objectives.penalties import Penalty, check_strength


class Lq(Penalty):
    """The l_q penalty `r(w) = lambda/2 sum_j |w_j|^q`, with the factor 1/2 of Bishop (2006, 3.29).

    Convex for q >= 1, smooth for q >= 2, differentiable for q > 1. Its constrained form is
    `LqBall`: the weights that minimise the penalised cost also minimise the cost without the
    penalty subject to `sum_j |w_j|^q <= t`, where t is the value of the sum at these weights.

    Parameters
    ----------
    q
        The power, > 0.
    strength
        lambda >= 0.
    bias
        Whether the bias is penalised too.

    Examples
    --------
    >>> Lq(4, strength=2.0).value(np.array([1.0, 2.0]))
    17.0
    """

    kink = "where a weight is 0 (q < 2)"

    def __init__(self, q: float, strength: float = 1.0, *, bias: bool = False) -> None:
        if not 0 < q < np.inf:
            raise ParameterError(f"Lq: q must be a finite number > 0; got {q!r}.")
        self.q = q
        self.strength = float(check_strength("Lq", strength, scalar=True))
        self.bias = bias

    @property
    def smooth(self) -> bool:
        """Whether the Hessian exists everywhere: q >= 2."""
        return self.q >= 2

    @property
    def convex(self) -> bool:
        """Whether q >= 1."""
        return self.q >= 1

    @property
    def has_prox(self) -> bool:
        """Whether the prox is unique and found by bisection: q >= 1."""
        return self.q >= 1

    def budget(self, w: Floats) -> float:
        """Return `sum_j |w_j|^q`."""
        return float(np.sum(np.abs(w) ** self.q))

    def value(self, w: Floats) -> float:
        """Return `lambda/2 sum_j |w_j|^q`."""
        return self.strength / 2 * self.budget(w)

    def subgradient(self, w: Floats) -> Floats:
        """Return `lambda/2 q sign(w) |w|^(q-1)`, 0 where w is 0."""
        size = np.abs(w)
        power = np.where(size > 0, np.where(size > 0, size, 1.0) ** (self.q - 1), 0.0)
        return self.strength / 2 * self.q * np.sign(w) * power

    def hessian(self, w: Floats) -> Floats:
        """Return the diagonal matrix of `lambda/2 q (q - 1) |w|^(q-2)`."""
        if not self.smooth:
            return super().hessian(w)
        diagonal = self.strength / 2 * self.q * (self.q - 1) * np.abs(w) ** (self.q - 2)
        return np.diag(diagonal.reshape(-1))

    def prox(self, w: Floats, t: float) -> Floats:
        """Return the root v of `v + t lambda/2 q |v|^(q-1) = |w|`, with the sign of w."""
        if not self.has_prox:
            return super().prox(w, t)
        return _prox_power(w, self.q, t * self.strength / 2)


class LqBall(Penalty):
    """The constraint `sum_j |w_j|^q <= budget`, as a penalty: 0 inside, infinite outside.

    Its prox is the projection onto the set; proximal gradient with it is projected gradient.

    Parameters
    ----------
    q
        The power, >= 1, so that the set is convex.
    budget
        The bound, > 0.
    bias
        Whether the constraint includes the bias.

    Examples
    --------
    >>> LqBall(1, budget=1.0).prox(np.array([1.0, 0.5]), t=1.0).round(6)
    array([0.75, 0.25])
    """

    kink = "at the edge of its set"

    def __init__(self, q: float, budget: float, *, bias: bool = False) -> None:
        if not 1 <= q < np.inf or not budget > 0:
            raise ParameterError(
                "LqBall: q must be a finite number >= 1 and budget a number > 0; got "
                f"{q!r}, {budget!r}. For |w_j| <= c use ProjectedGradient with onto_box."
            )
        self.q = q
        self.budget = budget
        self.bias = bias

    def value(self, w: Floats) -> float:
        """Return 0 inside the set (to 1e-9 of its budget), infinity outside."""
        inside = np.sum(np.abs(w) ** self.q) <= self.budget * (1 + 1e-9)
        return 0.0 if inside else float("inf")

    def subgradient(self, w: Floats) -> Floats:
        """Return 0, the subgradient inside the set."""
        return np.zeros_like(w)

    def prox(self, w: Floats, t: float) -> Floats:
        """Return the nearest point of the set, for any t.

        It is the prox of `c sum_j |w_j|^q` for the multiplier c that attains the bound.
        """
        del t
        if np.sum(np.abs(w) ** self.q) <= self.budget:
            return w
        low, high = 0.0, 1.0
        while np.sum(np.abs(_prox_power(w, self.q, high)) ** self.q) > self.budget:
            low, high = high, 2 * high
        for _ in range(60):
            c = (low + high) / 2
            spent = np.sum(np.abs(_prox_power(w, self.q, c)) ** self.q)
            low, high = (c, high) if spent > self.budget else (low, c)
        return _prox_power(w, self.q, high)


def _prox_power(w: Floats, q: float, c: float) -> Floats:
    """Return argmin_v c |v|^q + (v - w)^2 / 2 of every entry, q >= 1."""
    size = np.abs(w)
    if q == 1:
        return np.sign(w) * np.maximum(0.0, size - c)
    if q == 2:
        return w / (1 + 2 * c)
    low, high = np.zeros_like(size), size.copy()  # v + c q v^(q-1) grows with v: bisect
    for _ in range(60):
        v = (low + high) / 2
        above = v + c * q * v ** (q - 1) > size
        low, high = np.where(above, low, v), np.where(above, v, high)
    return np.asarray(np.sign(w) * (low + high) / 2)
