"""The catalogue: every public estimator in one table of strings.

Tests, documentation, the command and `load` read it; an entry is resolved by importlib when it
is asked for. A test requires the table to equal the set of public estimators. The functions and
classes beside the estimators that ``import gramian`` offers are listed below them.
"""

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal

Kind = Literal["classifier", "regressor", "clusterer", "transformer", "neighbors"]


@dataclass(frozen=True)
class Entry:
    """One estimator.

    ``settings`` are several sets of parameters, quick on small data, that tests run through;
    ``excused`` names checks of scikit-learn's that it expects its own class of that name to
    fail, with the reason.
    """

    path: str
    kind: Kind
    settings: tuple[dict[str, Any], ...] = ({},)
    excused: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The class's name."""
        return self.path.rpartition(".")[2]

    def resolve(self) -> type[Any]:
        """Import and return the class."""
        module, _, name = self.path.rpartition(".")
        return getattr(import_module(module), name)  # type: ignore[no-any-return]


ESTIMATORS: tuple[Entry, ...] = (
    Entry(
        "gramian.linear.LinearRegression",
        "regressor",
        settings=({}, {"fit_intercept": False}, {"positive": True}),
    ),
    Entry(
        "gramian.linear.LogisticRegression",
        "classifier",
        settings=(
            {"tol": 1e-10},
            {"tol": 1e-10, "multi_class": "ovr"},
            {"tol": 1e-10, "multi_class": "reference"},
            {"tol": 1e-8, "solver": "lbfgs", "max_iter": 1000},
            {"tol": 1e-8, "solver": "newton-cg", "class_weight": "balanced"},
        ),
    ),
    Entry(
        "gramian.linear.LogisticRegressionCV",
        "classifier",
        settings=({"Cs": 3, "cv": 2, "tol": 1e-10}, {"Cs": 2, "cv": 2, "refit": False}),
    ),
    Entry(
        "gramian.linear.PoissonRegressor",
        "regressor",
        settings=({"tol": 1e-10}, {"tol": 1e-8, "solver": "lbfgs"}),
    ),
    Entry(
        "gramian.linear.SigmoidDiscriminant",
        "classifier",
        settings=({"tol": 1e-8},),
    ),
)

# Public names beside the estimators, by the module that holds them.
FUNCTIONS: dict[str, str] = {
    "EarlyStopping": "gramian.base.callbacks",
    "TimeBudget": "gramian.base.callbacks",
    "get_num_threads": "gramian.base.threads",
    "load": "gramian.base.files",
    "save": "gramian.base.files",
    "set_num_threads": "gramian.base.threads",
    "show_versions": "gramian.base.versions",
}


def entry(path: str) -> Entry | None:
    """Return the entry of a dotted path, or None."""
    return next((e for e in ESTIMATORS if e.path == path), None)


def entry_of(cls: type) -> Entry | None:
    """Return the entry of a class, or None for one that is not of the catalogue."""
    named = next((e for e in ESTIMATORS if e.name == cls.__name__), None)
    return named if named is not None and named.resolve() is cls else None


def public_names() -> dict[str, str]:
    """Return every name that ``gramian.<name>`` offers, with the module that holds it."""
    estimators = {e.name: e.path.rpartition(".")[0] for e in ESTIMATORS}
    return dict(sorted((estimators | FUNCTIONS).items()))
