"""SVG drawings: scales, ticks and paths.

The macro ``chart`` of ``templates/svg.html`` draws a `Plane`: a frame with grid, ticks and
labels. Its methods turn data into path strings and positions inside that frame. Positions have one
decimal, a tenth of a pixel, so that a page stays small.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gramian.report.formatting import number

Numbers = Sequence[float]


@dataclass(frozen=True)
class Scale:
    """A linear map of values to pixels.

    Attributes
    ----------
    low, high
        The values at both ends.
    start, stop
        Pixel positions of both ends.
    """

    low: float
    high: float
    start: float
    stop: float

    def __call__(self, value: float) -> float:
        """Return the pixel of a value."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(self.start + share * (self.stop - self.start), 1)

    def ends(self, low: float | None, high: float | None) -> tuple[float, float] | None:
        """Return the pixels of an interval, or None if there is no interval."""
        return None if low is None or high is None else (self(low), self(high))


@dataclass(frozen=True)
class Tick:
    """A tick of an axis: its position and its text."""

    place: float
    text: str


@dataclass(frozen=True)
class Plane:
    """Two axes and their frame; see `plane`."""

    width: float
    height: float
    x: Scale
    y: Scale
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    x_label: str
    y_label: str

    @property
    def grid(self) -> str:
        """The path of all grid lines."""
        across = f"H{place(self.x.stop)}"
        down = f"V{place(self.y.stop)}"
        rows = (f"M{place(self.x.start)} {place(t.place)}{across}" for t in self.y_ticks)
        columns = (f"M{place(t.place)} {place(self.y.start)}{down}" for t in self.x_ticks)
        return "".join((*rows, *columns))

    def line(self, xs: Numbers, ys: Numbers) -> str:
        """Return the path through points."""
        return path([(self.x(a), self.y(b)) for a, b in zip(xs, ys, strict=True)])

    def steps(self, xs: Numbers, ys: Numbers) -> str:
        """Return a path through points that moves along one axis at a time, y first."""
        corners = [(self.x(xs[0]), self.y(ys[0]))] if len(xs) else []
        for (x0, _), (x1, y1) in pairwise(zip(xs, ys, strict=True)):
            corners += [(self.x(x0), self.y(y1)), (self.x(x1), self.y(y1))]
        return path(corners)

    def band(self, xs: Numbers, low: Numbers, high: Numbers) -> str:
        """Return the closed path between two curves."""
        upper = [(self.x(a), self.y(b)) for a, b in zip(xs, high, strict=True)]
        lower = [(self.x(a), self.y(b)) for a, b in zip(xs, low, strict=True)]
        return path(upper + lower[::-1]) + "Z" if upper else ""

    def dots(self, xs: Numbers, ys: Numbers) -> str:
        """Return a path of lines of length 0, which a round stroke draws as dots."""
        places = ((self.x(a), self.y(b)) for a, b in zip(xs, ys, strict=True))
        return "".join(f"M{place(x)} {place(y)}h0" for x, y in places)

    def bars(self, edges: Numbers, counts: Numbers) -> str:
        """Return the path of a histogram's bars, which start at the lowest value of y."""
        return _bars(edges, counts, self.x, self.y)


def plane(
    x: tuple[float, float],
    y: tuple[float, float],
    labels: tuple[str, str],
    *,
    width: float = 360,
    height: float = 270,
    left: float = 46,
    x_ticks: int = 5,
    y_ticks: int = 5,
) -> Plane:
    """Return a plane for values between the given ends."""
    across = Scale(*x, left, width - 12)
    up = Scale(*y, height - 40, 10)
    return Plane(width, height, across, up, _ticks(across, x_ticks), _ticks(up, y_ticks), *labels)


def span(values: Numbers, *, room: float = 0.05, zero: bool = False) -> tuple[float, float]:
    """Return the ends of an axis that contains all values, with a margin at both ends.

    Examples
    --------
    >>> span([0.0, 10.0])
    (-0.5, 10.5)
    """
    known = [v for v in values if v is not None and math.isfinite(v)] or [0.0]
    low, high = min(known), max(known)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if low == high:
        low, high = low - (abs(low) or 1) * 0.5, high + (abs(high) or 1) * 0.5
    extra = room * (high - low)
    return low - (0 if zero and low == 0 else extra), high + (0 if zero and high == 0 else extra)


def round_values(low: float, high: float, about: int) -> list[float]:
    """Return about that many round numbers between two ends: 1, 2 or 5 times a power of ten.

    Examples
    --------
    >>> round_values(0, 1, 5)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    if not high > low:
        return [low]
    rough = (high - low) / max(about, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= 0.999 * rough)
    first = math.ceil(low / step - 1e-9)
    return [round(k * step, 12) for k in range(first, first + about * 3) if k * step <= high + 1e-9]


def path(points: Sequence[tuple[float, float]]) -> str:
    """Return a path through positions; repeated positions are skipped."""
    kept = [p for i, p in enumerate(points) if i == 0 or p != points[i - 1]]
    return "M" + "L".join(f"{place(x)} {place(y)}" for x, y in kept) if kept else ""


def sparkline(edges: Numbers, counts: Numbers, width: float = 96, height: float = 24) -> str:
    """Return the path of a small histogram without axes."""
    most = max(counts, default=0) or 1
    return _bars(edges, counts, Scale(edges[0], edges[-1], 0, width), Scale(0, most, height, 0))


def place(value: float) -> str:
    """Return a pixel with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def _bars(edges: Numbers, counts: Numbers, x: Scale, y: Scale) -> str:
    floor = place(y(y.low))
    parts = []
    for (a, b), count in zip(pairwise(edges), counts, strict=True):
        if count:
            left, right = x(a), max(x(b) - 1, x(a) + 0.5)
            top = min(y(count), y(y.low) - 1)
            parts.append(f"M{place(left)} {floor}V{place(top)}H{place(right)}V{floor}Z")
    return "".join(parts)


def _ticks(scale: Scale, about: int) -> tuple[Tick, ...]:
    values = round_values(scale.low, scale.high, about)
    return tuple(Tick(scale(v), number(v)) for v in values)
