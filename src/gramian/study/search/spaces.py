"""Search spaces: for each estimator, the parameters to vary and the form of its input.

An entry is used if the catalogue has an estimator of that name. The first setting tried is the
estimator's default (with the fixed parameters of the entry); later ones are the points of a
rank-one lattice, shifted by the seed: any number of them is evenly spread (Roberts' additive
recurrence).
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
    """Maps a number in [0, 1) to a value."""

    def at(self, u: float) -> Any:
        """Return the value at u."""
        ...


@dataclass(frozen=True)
class LogUniform:
    """Numbers between two positive bounds, uniform on a logarithmic scale."""

    low: float
    high: float

    def at(self, u: float) -> float:
        """Return the value at u, with three digits."""
        return float(f"{self.low * (self.high / self.low) ** u:.3g}")


@dataclass(frozen=True)
class LogInteger:
    """Integers between two bounds, both included, uniform on a logarithmic scale."""

    low: int
    high: int

    def at(self, u: float) -> int:
        """Return the value at u."""
        exact: float = (self.low - 0.5) * ((self.high + 0.5) / (self.low - 0.5)) ** u
        return min(self.high, max(self.low, round(exact)))


@dataclass(frozen=True)
class OneOf:
    """One of a few values."""

    values: tuple[Any, ...]

    def at(self, u: float) -> Any:
        """Return the value at u."""
        return self.values[min(int(u * len(self.values)), len(self.values) - 1)]


@dataclass(frozen=True)
class Space:
    """Search space of one estimator.

    Attributes
    ----------
    style
        ``"matrix"``: one-hot categories, imputed and scaled numbers; ``"codes"``: categories as
        codes, numbers unchanged, missing values kept.
    ranges
        Parameters to vary, with their ranges.
    fixed
        Parameters with a fixed value other than the estimator's default.
    wide, large
        Parameters fixed for a matrix of many columns, and for one of many cells, because others
        are too slow.
    most_rows, most_columns
        Maximum number of rows, and of columns of the matrix; with more, the model is too slow and
        is skipped.
    simple
        Complexity of the model; lower is simpler to explain.
    """

    style: Style
    ranges: dict[str, Range] = field(default_factory=dict)
    fixed: dict[str, Any] = field(default_factory=dict)
    many_columns: dict[str, Any] = field(default_factory=dict)
    large: dict[str, Any] = field(default_factory=dict)
    most_rows: int | None = None
    most_columns: int | None = None
    simple: int = 5

    def for_many_columns(self) -> "Space":
        """Return the space with the parameters fixed for a matrix of many columns."""
        return self._with_fixed(self.many_columns)

    def for_many_cells(self) -> "Space":
        """Return the space with the parameters fixed for a matrix of many cells."""
        return self._with_fixed(self.large)

    def _with_fixed(self, settings: dict[str, Any]) -> "Space":
        ranges = {name: span for name, span in self.ranges.items() if name not in settings}
        return replace(self, ranges=ranges, fixed={**self.fixed, **settings})


_NEIGHBORS = Space(
    "matrix",
    {
        "n_neighbors": LogInteger(1, 60),
        "weights": OneOf(("uniform", "distance")),
        "p": OneOf((2, 1)),
    },
    most_rows=200_000,
    simple=3,
)
_TREE = Space(
    "codes",
    {
        "min_samples_leaf": LogInteger(1, 40),
        "ccp_alpha": LogUniform(1e-5, 2e-2),
        "max_depth": LogInteger(2, 30),
    },
    simple=2,
)
_FOREST = Space(
    "codes",
    {"max_features": OneOf(("sqrt", 0.3, 0.6, 1.0)), "min_samples_leaf": LogInteger(1, 12)},
    {"n_estimators": 200},
    many_columns={"max_features": "sqrt"},
    simple=6,
)
# The default for regression searches all columns in every node: five times slower than a third.
_REGRESSION_FOREST = replace(_FOREST, large={"max_features": 0.3})
_HIST_BOOSTING = Space(
    "codes",
    {
        "learning_rate": LogUniform(0.03, 0.3),
        "max_leaf_nodes": LogInteger(6, 64),
        "min_samples_leaf": LogInteger(3, 60),
        "l2_regularization": LogUniform(1e-3, 10.0),
    },
    many_columns={"max_bins": 64},
    simple=7,
)

SPACES: dict[str, Space] = {
    # Linear models.
    "LogisticRegression": Space(
        "matrix", {"C": LogUniform(1e-3, 1e3)}, {"max_iter": 300}, {"solver": "lbfgs"}, simple=1
    ),
    "LinearDiscriminantAnalysis": Space("matrix", simple=1),
    "QuadraticDiscriminantAnalysis": Space(
        "matrix",
        {"reg_param": LogUniform(1e-3, 0.9)},
        {"singular": "drop"},
        most_columns=1000,  # factorises a covariance matrix for each class
        simple=2,
    ),
    "Ridge": Space("matrix", {"alpha": LogUniform(1e-3, 1e4)}, simple=1),
    "Lasso": Space("matrix", {"alpha": LogUniform(1e-4, 10.0)}, simple=1),
    "ElasticNet": Space(
        "matrix", {"alpha": LogUniform(1e-4, 10.0), "l1_ratio": OneOf((0.1, 0.5, 0.9))}, simple=1
    ),
    # Probability models.
    "GaussianNB": Space("matrix", {"var_smoothing": LogUniform(1e-9, 1e-1)}, simple=1),
    # Neighbours.
    "KNeighborsClassifier": _NEIGHBORS,
    "KNeighborsRegressor": _NEIGHBORS,
    # Kernels; SVC has no probabilities to select by.
    "SVR": Space(
        "matrix",
        {"C": LogUniform(0.1, 100.0), "gamma": LogUniform(1e-3, 1.0)},
        most_rows=20_000,
        simple=4,
    ),
    # Trees and ensembles.
    "DecisionTreeClassifier": _TREE,
    "DecisionTreeRegressor": _TREE,
    "RandomForestClassifier": _FOREST,
    "RandomForestRegressor": _REGRESSION_FOREST,
    "ExtraTreesClassifier": _FOREST,
    "ExtraTreesRegressor": _REGRESSION_FOREST,
    "HistGradientBoostingClassifier": _HIST_BOOSTING,
    "HistGradientBoostingRegressor": _HIST_BOOSTING,
}
_OTHER = {"classifier": "regressor", "regressor": "classifier"}
LINEAR = (
    "LogisticRegression", "LinearDiscriminantAnalysis", "LinearRegression", "Ridge", "Lasso",
    "ElasticNet",
)  # fmt: skip


def families(
    kind: str, rows: int, names: Sequence[str] | None = None, *, columns: int = 0
) -> list[Entry]:
    """Return the estimators of a kind to try, in the order of the table of spaces.

    Estimators too slow for this number of rows or columns are skipped, unless they are named.
    """
    known = {e.name: e for e in ESTIMATORS if e.kind == kind}
    if names is not None:
        for name in names:
            if name in {e.name for e in ESTIMATORS if e.kind == _OTHER[kind]}:
                task = "classification" if kind == "classifier" else "regression"
                raise ParameterError(
                    f"models: {name} is a {_OTHER[kind]}, but the task is {task}; name a {kind}, "
                    "or set another task."
                )
            if name not in known:
                near = get_close_matches(name, known, n=3, cutoff=0.4)
                hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else "."
                raise ParameterError(f"models: there is no {kind} {name!r}{hint}")
            if not has_defaults(known[name]):
                raise ParameterError(
                    f"models: {name} combines other models and cannot be tried alone."
                )
        return [known[name] for name in dict.fromkeys(names)]
    return [
        known[name]
        for name, space in SPACES.items()
        if name in known
        and (space.most_rows is None or rows <= space.most_rows)
        and (space.most_columns is None or columns <= space.most_columns)
    ]


def has_defaults(entry: Entry) -> bool:
    """Return whether an estimator can be constructed without arguments."""
    wanted = signature(entry.resolve()).parameters.values()
    return all(parameter.default is not parameter.empty for parameter in wanted)


def has_proba(entry: Entry) -> bool:
    """Return whether an estimator at its defaults predicts probabilities."""
    return hasattr(entry.resolve()(), "predict_proba")


def space_of(name: str) -> Space:
    """Return the space of an estimator; one without an entry is tried at its defaults."""
    return SPACES.get(name, Space("matrix"))


def settings_at(space: Space, number: int, seed: int) -> dict[str, Any]:
    """Return the settings of one point of the space; number 0 is the default.

    Examples
    --------
    >>> settings_at(Space("matrix", {"C": LogUniform(0.01, 100.0)}), 0, seed=7)
    {}
    >>> 0.01 <= settings_at(Space("matrix", {"C": LogUniform(0.01, 100.0)}), 3, seed=7)["C"] <= 100
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
    """Return powers of the root of x^(d + 1) = x + 1, the golden ratio for d = 1."""
    root = 2.0
    for _ in range(50):
        root = (1 + root) ** (1 / (dimensions + 1))
    return (1 / root) ** np.arange(1, dimensions + 1)
