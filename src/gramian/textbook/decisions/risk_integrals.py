"""Integrals of the risk of a rule over known densities: sums, intervals, quadrature, sampling."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import quad
from scipy.special import roots_legendre

from gramian.base.types import Floats
from gramian.textbook.estimation.known_density import KnownDensity

Actions = np.ndarray[tuple[int, ...], np.dtype[np.intp]]
_PANELS, _NODES = 60, 6  # panels of quadrature per dimension
_WIDTH = 9.0  # half-width of the box, in standard deviations


class RiskEstimate(NamedTuple):
    """The expected cost of a rule."""

    value: float
    error: float  # estimated error of integration, or standard error of sampling
    low: float  # 95% interval of sampling; value -/+ error otherwise
    high: float
    method: str  # "sum", "intervals", "quadrature" or "sampling"


class Cells(NamedTuple):
    """A rule in one dimension: its action between neighbouring edges."""

    edges: Floats  # from -inf to inf
    actions: Actions


def scan_points(densities: Sequence[KnownDensity]) -> Floats:
    """Return points on a line, dense where the densities are high and sparse in the tails."""
    limits = np.array([density.limits() for density in densities])
    middles = [np.linspace(low, high, 1201) for low, high in limits]
    low, high = float(limits[:, 0].min()), float(limits[:, 1].max())
    out = (high - low) * np.geomspace(1e-3, 1e3, 200)
    return np.unique(np.concatenate([low - out, *middles, high + out]))


def find_cells(rule: Callable[[Floats], Actions], points: Floats) -> Cells:
    """Find the points where a rule changes its action, by bisection."""
    chosen = rule(points)
    at = np.flatnonzero(chosen[:-1] != chosen[1:])
    low, high, left = points[at].copy(), points[at + 1].copy(), chosen[at]
    for _ in range(200):
        middle = low + (high - low) / 2
        if not len(at) or ((middle == low) | (middle == high)).all():
            break
        same = rule(middle) == left
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    edges = np.concatenate([[-np.inf], low, [np.inf]])
    return Cells(edges, np.append(left, chosen[-1]) if len(at) else chosen[-1:])


def over_cells(cells: Cells, densities: Sequence[KnownDensity], costs: Floats) -> RiskEstimate:
    """Return sum_k sum_cells costs[action, k] P(cell | k); `costs` are multiplied by priors."""
    total = error = 0.0
    for k, density in enumerate(densities):
        if density.cdf is not None:
            below = np.asarray(density.cdf(cells.edges[1:-1]), dtype=np.float64)
            mass = np.diff(np.concatenate([[0.0], below, [1.0]]))
            off = 1e-15
        else:
            mass, off = _masses(density, cells.edges)
        total += float(costs[cells.actions, k] @ mass)
        error += off * float(np.abs(costs[:, k]).max())
    return _estimate(total, error, "intervals")


def _masses(density: KnownDensity, edges: Floats) -> tuple[Floats, float]:
    """Return P(cell) by quadrature, and its error."""
    low, high = density.limits()
    masses, error = np.zeros(len(edges) - 1), 0.0
    for i in range(len(masses)):
        cuts = np.clip(edges[i : i + 2], low, high)
        inner = np.unique(np.clip(np.concatenate([cuts, np.linspace(low, high, 41)]), *cuts))
        for a, b in pairwise(inner):
            piece, off, *_ = quad(
                lambda x: float(np.exp(density.log_density(np.array([x])))[0]), a, b, full_output=1
            )
            masses[i], error = masses[i] + piece, error + off
    return masses, error


def over_support(
    rule: Callable[[Any], Actions], densities: Sequence[KnownDensity], costs: Floats
) -> RiskEstimate:
    """Return the risk as a sum over integers."""
    points = np.unique(np.concatenate([density.support_points() for density in densities]))
    actions = rule(points)
    total = 0.0
    for k, density in enumerate(densities):
        total += float(costs[actions, k] @ np.exp(density.log_density(points)))
    return _estimate(total, 1e-13 * float(np.abs(costs).max()), "sum")


def over_plane(
    rule: Callable[[Any], Actions], densities: Sequence[KnownDensity], costs: Floats
) -> RiskEstimate:
    """Return the integral over the plane by Gauss-Legendre panels.

    The error is the difference to coarser panels plus the cost of the probability that the panels
    miss or overcount; it is large if the densities are narrower than the panels.
    """
    means = np.array([density.mean for density in densities], dtype=np.float64)
    spreads = np.array([density.deviation for density in densities], dtype=np.float64)
    low, high = (means - _WIDTH * spreads).min(axis=0), (means + _WIDTH * spreads).max(axis=0)
    (fine, mass), (coarse, _) = (
        _plane_sum(rule, densities, costs, low, high, p) for p in (_PANELS, _PANELS // 2)
    )
    missing_mass = float(np.abs(costs).max(axis=0) @ np.abs(1 - mass))
    return _estimate(fine, abs(fine - coarse) + missing_mass, "quadrature")


def _plane_sum(
    rule: Callable[[Any], Actions],
    densities: Sequence[KnownDensity],
    costs: Floats,
    low: Floats,
    high: Floats,
    panels: int,
) -> tuple[float, Floats]:
    """Return the risk, and the probability of the box in each state."""
    nodes, weights = roots_legendre(_NODES)
    levels = ((np.arange(panels)[:, None] + (nodes + 1) / 2) / panels).ravel()
    heights = np.tile(weights / 2 / panels, panels)
    grid = np.stack(
        np.meshgrid(*(low + (high - low) * levels[:, None]).T, indexing="ij"), axis=-1
    ).reshape(-1, 2)
    area = np.multiply.outer(heights, heights).ravel() * np.prod(high - low)
    actions = rule(grid)
    total, masses = 0.0, np.zeros(len(densities))
    for k, density in enumerate(densities):
        rows_per_state = area * np.exp(density.log_density(grid))
        masses[k] = rows_per_state.sum()
        total += float(costs[actions, k] @ rows_per_state)
    return total, masses


def within_costs(found: RiskEstimate, costs: Floats) -> RiskEstimate:
    """Clip an estimate to the range of risks that a rule can have."""
    least, most = float(costs.min(axis=0).sum()), float(costs.max(axis=0).sum())
    value, low, high = (min(max(x, least), most) for x in (found.value, found.low, found.high))
    return found._replace(value=value, low=low, high=high)


def by_sampling(
    risk_at: Callable[[Any], Floats],
    densities: Sequence[KnownDensity],
    priors: Floats,
    n: int,
    rng: np.random.Generator,
) -> RiskEstimate:
    """Return the mean conditional risk of a stratified sample from the joint distribution.

    The number of rows of each state is proportional to its prior, which lowers the variance.
    """
    counts = np.maximum(2, np.rint(priors * n).astype(int)) * (priors > 0)
    total = variance = 0.0
    for density, prior, count in zip(densities, priors, counts, strict=True):
        if count:
            values = risk_at(np.asarray(density.draw(int(count), rng)))
            total += float(prior) * float(values.mean())
            variance += prior**2 * float(values.var(ddof=1)) / count
    error = float(np.sqrt(variance))
    return RiskEstimate(total, error, total - 1.96 * error, total + 1.96 * error, "sampling")


def _estimate(value: float, error: float, method: str) -> RiskEstimate:
    return RiskEstimate(value, error, value - error, value + error, method)
