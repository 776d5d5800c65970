r"""Expected values of one variable by quadrature over its probability scale.

    E[f] = int_0^1 f(Q(u)) du = int f(x) p(x) dx,    Q the quantile function

In u, the integrand does not depend on the location, the scale or any gaps of the distribution. If
each quantile needs a root search (`slow_quantile`), quantiles are used only to place panels in x.
Panels are halved until the highest coefficients of the interpolating polynomial vanish. A jump
between two nodes keeps these coefficients large, so their error bound is valid at jumps too. Beyond
the levels `_TAIL` and 1 - `_TAIL`, panel widths change by powers of two: in x if the tail is
infinite or quantiles are slow, in u if the tail is finite. The sum over these panels must converge.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.polynomial import Legendre, legendre

from gramian.base.errors import DataError
from gramian.base.types import Floats

_TAIL = 1e-8  # probability of each tail
_PANELS = 2200  # between the tails; nodes are less than a ten-thousandth apart
_SPLIT = 22  # panels between two slow quantiles
_FAR = 1e150  # largest |x| in a tail; its square is finite
# Lobatto's rule of 8 points includes the ends of a panel, so that it sees jumps next to them.
_NODES = np.concatenate([[-1.0], np.sort(Legendre.basis(7).deriv().roots().real), [1.0]])
_WEIGHTS = 2 / (56 * Legendre.basis(7)(_NODES) ** 2)
_HIGHEST = np.linalg.inv(legendre.legvander(_NODES, 7))[-2:].T  # coefficients 6 and 7 of values
# For a function with values 0 and 1 that jumps between nodes, the error of the rule is at most this
# many times the size of those coefficients (the largest of all 254 cases).
_JUMPS = 4.1
_SMALL = 1e-13  # accepted error of a panel, as a fraction of E|f|
_MOST = 50_000  # maximum number of panels halved at a time
_DIVERGENT = 0.99  # ratio of adjacent panels of a tail above which its sum counts as infinite


class Integrable(Protocol):
    """A continuous distribution of one variable; its functions take arrays."""

    @property
    def log_density(self) -> Callable[[Any], Any]:
        """Logarithm of the density."""

    @property
    def quantile(self) -> Callable[[Any], Any] | None:
        """Quantile function, if there is one."""

    @property
    def slow_quantile(self) -> bool:
        """Whether computing a quantile needs a root search."""


class Integral(NamedTuple):
    """The value of an integral, its error, and the integral of the absolute value."""

    value: float
    error: float
    magnitude: float


def integrate(f: Callable[[Floats], Floats], density: Integrable) -> Integral:
    """Return E[f] of a function of arrays; raise if the integral does not converge."""
    body = _over_density(f, density) if density.slow_quantile else _over_levels(f, density)
    scale = float(np.abs(body.values).sum())
    parts = [body] + [_tail(f, density, upper, scale) for upper in (False, True)]
    value = float(sum(part.values.sum() for part in parts))
    magnitude = float(sum(np.abs(part.values).sum() for part in parts))
    error = float(sum(part.error for part in parts)) + 1e-14 * magnitude
    return Integral(value, error, magnitude)


def has_quantiles(density: Integrable) -> bool:
    """Return whether the quantiles can be computed out to the tails (SciPy's searches may fail)."""
    if density.quantile is None:
        return False
    try:
        ends = np.asarray(density.quantile(np.array([_TAIL, 1 - _TAIL])), dtype=np.float64)
    except (ValueError, RuntimeError):
        return False
    return bool(np.isfinite(ends).all())


class _Panels(NamedTuple):
    values: Floats  # of each panel
    error: float  # of their sum


def _levels(count: int) -> Floats:
    """Return edges of panels of width <= 1 / count, not at the median, where f may have a pole."""
    low, high = np.geomspace(_TAIL, 1 / count, 20), 1 - np.geomspace(_TAIL, 1.37 / count, 20)[::-1]
    return np.concatenate([low, np.linspace(low[-1], high[0], count - 1)[1:-1], high])


def _over_levels(f: Callable[[Floats], Floats], density: Integrable) -> _Panels:
    assert density.quantile is not None
    quantile, levels = density.quantile, _levels(_PANELS)

    def at_levels(u: Floats) -> Floats:
        return f(np.asarray(quantile(u), dtype=np.float64))

    return _by_panels(at_levels, levels[:-1], levels[1:], 0.0)


def _over_density(f: Callable[[Floats], Floats], density: Integrable) -> _Panels:
    assert density.quantile is not None
    coarse = np.asarray(density.quantile(_levels(_PANELS // _SPLIT)), dtype=np.float64)
    coarse = np.unique(coarse)
    steps = np.arange(len(coarse) * _SPLIT - _SPLIT + 1) / _SPLIT
    edges = np.interp(steps, np.arange(len(coarse)), coarse)
    return _by_panels(_weighted(f, density), edges[:-1], edges[1:], 0.0)


def _weighted(f: Callable[[Floats], Floats], density: Integrable) -> Callable[[Floats], Floats]:
    def product(x: Floats) -> Floats:
        heights = np.exp(density.log_density(x))
        return np.where(heights == 0, 0.0, heights * f(x))

    return product


def _by_panels(g: Callable[[Floats], Floats], low: Floats, high: Floats, scale: float) -> _Panels:
    """Integrate g over panels, halving those whose error may be more than rounding."""
    owner = np.arange(len(low))
    values, error = np.zeros(len(low)), 0.0
    while len(low):
        found, off = _lobatto(g, low, high)
        scale = max(scale, float(np.abs(found).sum()))
        middle = low + (high - low) / 2
        going = (off > _SMALL * scale) & (middle > low) & (middle < high)
        if going.sum() > _MOST:
            going[:] = False
        np.add.at(values, owner[~going], found[~going])
        error += float(off[~going].sum())
        owner = np.concatenate([owner[going], owner[going]])
        low, high = (
            np.concatenate([low[going], middle[going]]),
            np.concatenate([middle[going], high[going]]),
        )
    return _Panels(values, error)


def _lobatto(g: Callable[[Floats], Floats], low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return the integral over each panel and a bound of its error."""
    half = (high - low) / 2
    nodes = (low + half)[:, None] + half[:, None] * _NODES
    with np.errstate(all="ignore"):
        heights = g(nodes.ravel()).reshape(nodes.shape)
        found = np.asarray((heights @ _WEIGHTS) * half)
        off = np.asarray(_JUMPS * half * np.abs(heights @ _HIGHEST).sum(axis=1))
    if not np.isfinite(found).all():
        raise DataError(
            "expected value: the integral is not finite; the function is infinite or NaN where the "
            "density is positive, or grows too fast."
        )
    return found, off


def _tail(f: Callable[[Floats], Floats], density: Integrable, upper: bool, scale: float) -> _Panels:
    """Integrate over the last levels and add the remainder beyond the last panel."""
    assert density.quantile is not None
    quantile = density.quantile
    levels = np.abs(float(upper) - np.array([_TAIL, 2 * _TAIL, 0.0]))
    last, before, end = (float(x) for x in quantile(levels))
    unit, rounding = abs(last - before), 0.0
    if np.isfinite(end) and density.slow_quantile:
        halvings = 950 if end == 0 else max(int(52 + np.log2(abs((last - end) / end))), 1)
        edges: Floats = np.ldexp(abs(last - end), -np.arange(halvings))
        weighted = _weighted(f, density)

        def before_end(t: Floats) -> Floats:
            x = end - t if upper else end + t
            return np.where(x == end, 0.0, weighted(x))

        found = _by_panels(before_end, edges[1:], edges[:-1], scale)
    elif np.isfinite(end):
        edges = np.ldexp(_TAIL, -np.arange(20 if upper else 950))

        def inside(v: Floats) -> Floats:
            x = np.asarray(quantile(1 - v if upper else v), dtype=np.float64)
            values = f(x)
            return np.where((x == end) & ~np.isfinite(values), 0.0, values)

        found = _by_panels(inside, edges[1:], edges[:-1], scale)
    elif not unit > 1e-11 * abs(last):  # too narrow to split: f is constant
        value = _TAIL * f(np.array([last]))
        return _Panels(value, float(np.abs(value).sum()))
    else:
        rounding = 10 * np.finfo(np.float64).eps * abs(last) / unit
        edges = unit * (np.ldexp(1.0, np.arange(max(12, int(np.log2(_FAR / unit))))) - 1)

        def beyond(t: Floats) -> Floats:
            x = last + t if upper else last - t
            heights = np.nan_to_num(np.exp(density.log_density(x)), nan=0.0)  # too far to compute
            return np.where(heights == 0, 0.0, heights * f(x))

        found = _by_panels(beyond, edges[:-1], edges[1:], scale)
    sizes = np.abs(found.values)
    more, rest = _rest(found.values, max(scale, float(sizes.sum())))
    error = found.error + rest + rounding * float(sizes.sum())
    return _Panels(np.append(found.values, more), error)


def _rest(values: Floats, scale: float) -> tuple[float, float]:
    """Return the sum beyond the last panel, as a geometric series, and its error.

    Raise if the series diverges. The last nonzero panel may be cut by underflow, so the ratio is
    that of the panels before it.
    """
    seen = np.flatnonzero(values)
    if len(seen) < 11:
        return 0.0, 0.0
    last = seen[-1]
    size, former = abs(values[last - 1]), max(abs(values[last - 9]), np.finfo(np.float64).tiny)
    ratio = float((size / former) ** (1 / 8))
    if ratio < _DIVERGENT:
        whole = float(size) * ratio / (1 - ratio)
        return float(np.sign(values[last])) * max(whole - abs(float(values[last])), 0.0), whole
    if abs(values[last]) <= _SMALL * scale:
        return 0.0, float(size)
    raise DataError(
        "expected value: the integral does not converge in a tail of the distribution; either it "
        "is infinite, or the function cannot be computed far enough into the tail."
    )
