"""The catalogue: every public estimator in one table of strings.

Tests, documentation, the command and `load` read it; an entry is resolved by importlib when it
is asked for. A test requires the table to equal the set of public estimators; how the contract
tests make each of them stands in tests/contract/settings.py.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

Kind = Literal["classifier", "regressor", "clusterer", "transformer", "neighbors"]


@dataclass(frozen=True)
class Entry:
    """One estimator: its public address and what it does."""

    path: str
    kind: Kind

    @property
    def name(self) -> str:
        """The class's name."""
        return self.path.rpartition(".")[2]

    def resolve(self) -> type[Any]:
        """Import and return the class."""
        return resolve(self.path)


def resolve(path: str) -> type[Any]:
    """Import and return the class of a dotted path."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)  # type: ignore[no-any-return]


ESTIMATORS: tuple[Entry, ...] = (
    Entry("gramian.bayes.BayesDecision", "classifier"),
    Entry("gramian.cluster.KMeans", "clusterer"),
    Entry("gramian.cluster.MiniBatchKMeans", "clusterer"),
    Entry("gramian.data.TablePreparer", "transformer"),
    Entry("gramian.ensembles.AdaBoostClassifier", "classifier"),
    Entry("gramian.ensembles.AdaBoostRegressor", "regressor"),
    Entry("gramian.ensembles.BaggingClassifier", "classifier"),
    Entry("gramian.ensembles.BaggingRegressor", "regressor"),
    Entry("gramian.ensembles.CascadeClassifier", "classifier"),
    Entry("gramian.ensembles.DecisionStump", "classifier"),
    Entry("gramian.ensembles.ExtraTreesClassifier", "classifier"),
    Entry("gramian.ensembles.ExtraTreesRegressor", "regressor"),
    Entry("gramian.ensembles.GradientBoostingClassifier", "classifier"),
    Entry("gramian.ensembles.GradientBoostingRegressor", "regressor"),
    Entry("gramian.ensembles.HistGradientBoostingClassifier", "classifier"),
    Entry("gramian.ensembles.HistGradientBoostingRegressor", "regressor"),
    Entry("gramian.ensembles.RandomForestClassifier", "classifier"),
    Entry("gramian.ensembles.RandomForestRegressor", "regressor"),
    Entry("gramian.ensembles.VotingClassifier", "classifier"),
    Entry("gramian.ensembles.VotingRegressor", "regressor"),
    Entry("gramian.features.BasisFeatures", "transformer"),
    Entry("gramian.features.BestSubsetSelector", "transformer"),
    Entry("gramian.features.ParabolicLift", "transformer"),
    Entry("gramian.features.QuadricFeatures", "transformer"),
    Entry("gramian.features.RandomFeatures", "transformer"),
    Entry("gramian.features.StepwiseSelector", "transformer"),
    Entry("gramian.linear.ChebyshevRegression", "regressor"),
    Entry("gramian.linear.ElasticNet", "regressor"),
    Entry("gramian.linear.ElasticNetCV", "regressor"),
    Entry("gramian.linear.HuberRegressor", "regressor"),
    Entry("gramian.linear.Lars", "regressor"),
    Entry("gramian.linear.Lasso", "regressor"),
    Entry("gramian.linear.LassoCV", "regressor"),
    Entry("gramian.linear.LassoLars", "regressor"),
    Entry("gramian.linear.LeastAbsoluteDeviations", "regressor"),
    Entry("gramian.linear.LinearProgramClassifier", "classifier"),
    Entry("gramian.linear.LinearRegression", "regressor"),
    Entry("gramian.linear.LinearSVC", "classifier"),
    Entry("gramian.linear.LinearSVR", "regressor"),
    Entry("gramian.linear.LogisticRegression", "classifier"),
    Entry("gramian.linear.LogisticRegressionCV", "classifier"),
    Entry("gramian.linear.NearestCentroid", "classifier"),
    Entry("gramian.linear.PairwiseClassifier", "classifier"),
    Entry("gramian.linear.Perceptron", "classifier"),
    Entry("gramian.linear.PoissonRegressor", "regressor"),
    Entry("gramian.linear.QuantileRegressor", "regressor"),
    Entry("gramian.linear.Ridge", "regressor"),
    Entry("gramian.linear.RidgeCV", "regressor"),
    Entry("gramian.linear.RidgeClassifier", "classifier"),
    Entry("gramian.linear.RidgeClassifierCV", "classifier"),
    Entry("gramian.linear.SGDClassifier", "classifier"),
    Entry("gramian.linear.SGDRegressor", "regressor"),
    Entry("gramian.linear.SigmoidDiscriminant", "classifier"),
    Entry("gramian.linear.VotedPerceptron", "classifier"),
    Entry("gramian.neighbors.KNeighborsClassifier", "classifier"),
    Entry("gramian.neighbors.KNeighborsRegressor", "regressor"),
    Entry("gramian.neighbors.LSHNeighbors", "neighbors"),
    Entry("gramian.neighbors.NearestNeighbors", "neighbors"),
    Entry("gramian.neighbors.RadiusNeighborsClassifier", "classifier"),
    Entry("gramian.neighbors.RadiusNeighborsRegressor", "regressor"),
    Entry("gramian.trees.C45Classifier", "classifier"),
    Entry("gramian.trees.DecisionTreeClassifier", "classifier"),
    Entry("gramian.trees.DecisionTreeRegressor", "regressor"),
    Entry("gramian.trees.ModelTreeRegressor", "regressor"),
    Entry("gramian.trees.ObliqueTreeClassifier", "classifier"),
    Entry("gramian.trees.ObliqueTreeRegressor", "regressor"),
)

# Frozen dataclasses of plain values that a fitted estimator may hold and a model file may store.
# Their constructor checks what they are given, so that a file cannot bring what fit would not.
RECORDS: tuple[str, ...] = (
    "gramian.ensembles.boosted_trees.BoostedTrees",
    "gramian.trees.Forest",
    "gramian.trees.Tree",
)


def entry(path: str) -> Entry | None:
    """Return the entry of a dotted path, or None."""
    return next((e for e in ESTIMATORS if e.path == path), None)


def entry_of(cls: type) -> Entry | None:
    """Return the entry of a class, or None for one that is not of the catalogue."""
    named = next((e for e in ESTIMATORS if e.name == cls.__name__), None)
    return named if named is not None and named.resolve() is cls else None
