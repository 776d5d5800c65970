"""Search spaces as data: for each estimator by name, what is tried and how columns come to it.

An entry is used if the catalogue has an estimator of that name. The first setting tried is the
estimator's own default (with what the entry fixes); the k-th later one is the point of a rank-one
lattice, shifted by the seed: evenly spread however few there are (Roberts' additive recurrence).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from inspect import signature
from typing import Any, Literal, Protocol

import numpy as np

from gramian.base.catalogue import ESTIMATORS, Entry
from gramian.base.errors import ParameterError
from gramian.base.randomness import stream

Style = Literal["matrix", "codes"]


class Range(Protocol):
    """Turns a number of [0, 1) into a value."""

    def at(self, u: float) -> Any:
        """Return the value at u."""
        ...


@dataclass(frozen=True)
class Log:
    """Numbers between two positive ends, evenly on the scale of their logarithm."""

    low: float
    high: float

    def at(self, u: float) -> float:
        """Return the value at u, with three digits."""
        return float(f"{self.low * (self.high / self.low) ** u:.3g}")


@dataclass(frozen=True)
class Whole:
    """Whole numbers between two ends, both included, evenly on the scale of their logarithm."""

    low: int
    high: int

    def at(self, u: float) -> int:
        """Return the value at u."""
        exact: float = (self.low - 0.5) * ((self.high + 0.5) / (self.low - 0.5)) ** u
        return min(self.high, max(self.low, round(exact)))


@dataclass(frozen=True)
class Choice:
    """One of a few values."""

    values: tuple[Any, ...]

    def at(self, u: float) -> Any:
        """Return the value at u."""
        return self.values[min(int(u * len(self.values)), len(self.values) - 1)]


@dataclass(frozen=True)
class Space:
    """What is tried of one estimator.

    Attributes
    ----------
    style
        ``"matrix"``: categories as columns of zeros and ones, numbers filled in and scaled;
        ``"codes"``: categories as codes, numbers as they are, missing values kept.
    ranges
        Parameters that vary.
    fixed
        Parameters that do not, where the estimator's default is not meant for a search.
    wide, large
        Parameters fixed for a matrix of many columns, and for one of many cells, where others would
        take too long.
    most_rows
        With more rows than this it takes too long and is left out.
    simple
        Lower is simpler to explain, for telling which of equally good models is simplest.
    """

    style: Style
    ranges: dict[str, Range] = field(default_factory=dict)
    fixed: dict[str, Any] = field(default_factory=dict)
    wide: dict[str, Any] = field(default_factory=dict)
    large: dict[str, Any] = field(default_factory=dict)
    most_rows: int | None = None
    simple: int = 5

    def for_many_columns(self) -> "Space":
        """Return the space with what is fixed for a matrix of many columns."""
        return self._fixing(self.wide)

    def for_many_cells(self) -> "Space":
        """Return the space with what is fixed for a matrix of many cells."""
        return self._fixing(self.large)

    def _fixing(self, settings: dict[str, Any]) -> "Space":
        ranges = {name: span for name, span in self.ranges.items() if name not in settings}
        return replace(self, ranges=ranges, fixed={**self.fixed, **settings})


_NEIGHBORS = Space(
    "matrix",
    {
        "n_neighbors": Whole(1, 60),
        "weights": Choice(("uniform", "distance")),
        "p": Choice((2, 1)),
    },
    most_rows=200_000,
    simple=3,
)
_TREE = Space(
    "codes",
    {"min_samples_leaf": Whole(1, 40), "ccp_alpha": Log(1e-5, 2e-2), "max_depth": Whole(2, 30)},
    simple=2,
)
_FOREST = Space(
    "codes",
    {"max_features": Choice(("sqrt", 0.3, 0.6, 1.0)), "min_samples_leaf": Whole(1, 12)},
    {"n_estimators": 200},
    wide={"max_features": "sqrt"},
    simple=6,
)
# Regression's own default looks at all columns in every node: five times the time of a third.
_FOREST_OF_NUMBERS = replace(_FOREST, large={"max_features": 0.3})
_HISTOGRAMS = Space(
    "codes",
    {
        "learning_rate": Log(0.03, 0.3),
        "max_leaf_nodes": Whole(6, 64),
        "min_samples_leaf": Whole(3, 60),
        "l2_regularization": Log(1e-3, 10.0),
    },
    wide={"max_bins": 64},
    simple=7,
)

SPACES: dict[str, Space] = {
    # Linear models.
    "LogisticRegression": Space(
        "matrix", {"C": Log(1e-3, 1e3)}, {"max_iter": 300}, {"solver": "lbfgs"}, simple=1
    ),
    "LinearDiscriminantAnalysis": Space("matrix", simple=1),
    "QuadraticDiscriminantAnalysis": Space("matrix", {"reg_param": Log(1e-3, 0.9)}, simple=2),
    "Ridge": Space("matrix", {"alpha": Log(1e-3, 1e4)}, simple=1),
    "Lasso": Space("matrix", {"alpha": Log(1e-4, 10.0)}, simple=1),
    "ElasticNet": Space(
        "matrix", {"alpha": Log(1e-4, 10.0), "l1_ratio": Choice((0.1, 0.5, 0.9))}, simple=1
    ),
    # Probability models.
    "GaussianNB": Space("matrix", {"var_smoothing": Log(1e-9, 1e-1)}, simple=1),
    # Neighbours.
    "KNeighborsClassifier": _NEIGHBORS,
    "KNeighborsRegressor": _NEIGHBORS,
    # Kernels.
    "SVC": Space(
        "matrix", {"C": Log(0.1, 100.0), "gamma": Log(1e-3, 1.0)}, most_rows=20_000, simple=4
    ),
    "SVR": Space(
        "matrix", {"C": Log(0.1, 100.0), "gamma": Log(1e-3, 1.0)}, most_rows=20_000, simple=4
    ),
    # Trees and ensembles.
    "DecisionTreeClassifier": _TREE,
    "DecisionTreeRegressor": _TREE,
    "RandomForestClassifier": _FOREST,
    "RandomForestRegressor": _FOREST_OF_NUMBERS,
    "ExtraTreesClassifier": _FOREST,
    "ExtraTreesRegressor": _FOREST_OF_NUMBERS,
    "HistGradientBoostingClassifier": _HISTOGRAMS,
    "HistGradientBoostingRegressor": _HISTOGRAMS,
}
LINEAR = (
    "LogisticRegression", "LinearDiscriminantAnalysis", "LinearRegression", "Ridge", "Lasso",
    "ElasticNet",
)  # fmt: skip


def families(kind: str, rows: int, names: Sequence[str] | None = None) -> list[Entry]:
    """Return the estimators of a kind that take part, in the order of the table of spaces."""
    known = {e.name: e for e in ESTIMATORS if e.kind == kind}
    if names is not None:
        for name in names:
            if name not in known:
                near = get_close_matches(name, known, n=3, cutoff=0.4)
                hint = f"; near it: {', '.join(near)}" if near else ""
                raise ParameterError(f"there is no {kind} {name!r}{hint}. See `gramian models`.")
            if not stands_alone(known[name]):
                raise ParameterError(f"{name} is made of other models and cannot be tried alone.")
        return [known[name] for name in dict.fromkeys(names)]
    return [
        known[name]
        for name, space in SPACES.items()
        if name in known and (space.most_rows is None or rows <= space.most_rows)
    ]


def stands_alone(entry: Entry) -> bool:
    """Whether an estimator can be made without others that it is to join or to wrap."""
    wanted = signature(entry.resolve()).parameters.values()
    return all(parameter.default is not parameter.empty for parameter in wanted)


def space_of(name: str) -> Space:
    """Return the space of an estimator; one without an entry is tried at its defaults."""
    return SPACES.get(name, Space("matrix"))


def settings_at(space: Space, number: int, seed: int) -> dict[str, Any]:
    """Return the settings of one point of the space; number 0 is the default.

    Examples
    --------
    >>> settings_at(Space("matrix", {"C": Log(0.01, 100.0)}), 0, seed=7)
    {}
    >>> 0.01 <= settings_at(Space("matrix", {"C": Log(0.01, 100.0)}), 3, seed=7)["C"] <= 100
    True
    """
    if number == 0:
        return dict(space.fixed)
    shift = stream(seed, 1).random(len(space.ranges))
    point = (shift + number * _steps(len(space.ranges))) % 1.0
    drawn = {
        name: span.at(float(u)) for (name, span), u in zip(space.ranges.items(), point, strict=True)
    }
    return {**space.fixed, **drawn}


def _steps(dimensions: int) -> Any:
    """Powers of the root of x^(d + 1) = x + 1, the golden ratio's relative in d dimensions."""
    root = 2.0
    for _ in range(50):
        root = (1 + root) ** (1 / (dimensions + 1))
    return (1 / root) ** np.arange(1, dimensions + 1)
