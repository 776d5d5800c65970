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
class Part:
    """An estimator inside the settings of another one, made when it is asked for."""

    path: str
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """One estimator.

    ``settings`` are several sets of parameters, quick on small data, that tests run through; an
    estimator among them is a `Part`, because this table imports no family. ``excused`` names
    checks of scikit-learn's that it expects its own class of that name to fail, with the reason.
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

    def examples(self) -> list[Any]:
        """Make one estimator for each of the settings."""
        return [_made(self.path, settings) for settings in self.settings]


def _made(path: str, settings: dict[str, Any]) -> Any:
    module, _, name = path.rpartition(".")
    parts = {k: _made(v.path, v.settings) for k, v in settings.items() if isinstance(v, Part)}
    return getattr(import_module(module), name)(**{**settings, **parts})


# scikit-learn expects its own class to fail these two for the same reason.
_ROWS_AT_RANDOM = dict.fromkeys(
    (
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weight_equivalence_on_sparse_data",
    ),
    "the start draws rows at random; equal in distribution, and exactly from given centres",
)

ESTIMATORS: tuple[Entry, ...] = (
    Entry(
        "gramian.bayes.BayesDecision",
        "classifier",
        ({"estimator": Part("gramian.neighbors.KNeighborsClassifier"), "cv": None},),
    ),
    Entry(
        "gramian.cluster.KMeans",
        "clusterer",
        settings=(
            {"n_clusters": 3, "random_state": 0},
            {"n_clusters": 3, "init": "random", "n_init": 2, "random_state": 0},
            {"n_clusters": 3, "init": "partition", "n_init": 2, "random_state": 0},
        ),
        excused=_ROWS_AT_RANDOM,
    ),
    Entry(
        "gramian.cluster.MiniBatchKMeans",
        "clusterer",
        settings=(
            {"n_clusters": 3, "random_state": 0},
            {"n_clusters": 3, "batch_size": 20, "init": "random", "random_state": 0},
        ),
        excused=_ROWS_AT_RANDOM,
    ),
    Entry(
        "gramian.features.BasisFeatures",
        "transformer",
        (
            {"n_functions": 3},
            {"basis": "sigmoid", "n_functions": 2, "include_bias": True},
            {"basis": "polynomial", "n_functions": 3},
            {"basis": abs, "n_functions": 2},
        ),
    ),
    Entry(
        "gramian.features.BestSubsetSelector",
        "transformer",
        ({}, {"scoring": "r2", "cv": 2, "max_size": 3}),
    ),
    Entry("gramian.features.ParabolicLift", "transformer"),
    Entry(
        "gramian.features.QuadricFeatures",
        "transformer",
        (
            {},
            {"terms": "axis-aligned", "include_bias": True},
            {"terms": "quadratic"},
            {"terms": "squares"},
        ),
    ),
    Entry(
        "gramian.features.RandomFeatures",
        "transformer",
        (
            {"n_components": 5, "random_state": 0},
            {"n_components": 5, "kind": "noise", "include_input": True, "random_state": 0},
        ),
    ),
    Entry(
        "gramian.features.StepwiseSelector",
        "transformer",
        (
            {"cv": 2},
            {"direction": "backward", "scoring": "bic", "n_features_to_select": 1, "tries": 2},
            {"scoring": "aic", "early_stop": True},
        ),
    ),
    Entry(
        "gramian.linear.ChebyshevRegression",
        "regressor",
        settings=({}, {"fit_intercept": False}),
    ),
    Entry(
        "gramian.linear.ElasticNet",
        "regressor",
        settings=(
            {"alpha": 0.1, "tol": 1e-10},
            {"alpha": 0.1, "tol": 1e-10, "l1_ratio": 0.0},
            {"alpha": 0.1, "tol": 1e-10, "positive": True},
        ),
    ),
    Entry(
        "gramian.linear.ElasticNetCV",
        "regressor",
        settings=(
            {"alphas": 4, "cv": 2, "tol": 1e-13},
            {"l1_ratio": [0.5, 1.0], "alphas": 3, "cv": 2, "tol": 1e-13},
        ),
    ),
    Entry(
        "gramian.linear.HuberRegressor",
        "regressor",
        settings=({"tol": 1e-10}, {"tol": 1e-10, "epsilon": 2.0, "fit_intercept": False}),
    ),
    Entry("gramian.linear.Lars", "regressor", settings=({}, {"n_nonzero_coefs": 1})),
    Entry(
        "gramian.linear.Lasso",
        "regressor",
        settings=(
            {"alpha": 0.05, "tol": 1e-10},
            {"alpha": 0.05, "tol": 1e-10, "fit_intercept": False},
            {"alpha": 0.05, "tol": 1e-10, "positive": True},
        ),
    ),
    Entry(
        "gramian.linear.LassoCV",
        "regressor",
        settings=({"alphas": 4, "cv": 2, "tol": 1e-13},),
    ),
    Entry(
        "gramian.linear.LassoLars",
        "regressor",
        settings=({"alpha": 0.05}, {"alpha": 0.05, "positive": True}),
    ),
    Entry(
        "gramian.linear.LeastAbsoluteDeviations",
        "regressor",
        settings=({}, {"fit_intercept": False}),
    ),
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
            {"tol": 1e-9, "l1_ratio": 0.5, "multi_class": "ovr"},
            {"tol": 1e-6, "l1_ratio": 1.0},
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
        "gramian.linear.QuantileRegressor",
        "regressor",
        settings=({"alpha": 0.0}, {"alpha": 0.01, "quantile": 0.8}),
    ),
    Entry(
        "gramian.linear.Ridge",
        "regressor",
        settings=(
            {},
            {"solver": "svd", "fit_intercept": False},
            {"solver": "sparse_cg", "tol": 1e-12},
            {"positive": True},
            {"penalise_intercept": True},
        ),
    ),
    Entry("gramian.linear.RidgeCV", "regressor", settings=({}, {"cv": 2, "fit_intercept": False})),
    Entry(
        "gramian.linear.RidgeClassifier",
        "classifier",
        settings=({}, {"class_weight": "balanced"}, {"solver": "sparse_cg", "tol": 1e-12}),
    ),
    Entry("gramian.linear.RidgeClassifierCV", "classifier", settings=({}, {"cv": 2})),
    Entry("gramian.linear.SigmoidDiscriminant", "classifier", settings=({"tol": 1e-8},)),
    Entry(
        "gramian.neighbors.KNeighborsClassifier",
        "classifier",
        (
            {"n_neighbors": 2},
            {"n_neighbors": 3, "weights": "distance", "algorithm": "kd_tree", "leaf_size": 2},
            {"n_neighbors": 3, "algorithm": "brute", "p": 1},
            {"n_neighbors": 2, "metric": "precomputed"},
        ),
    ),
    Entry(
        "gramian.neighbors.KNeighborsRegressor",
        "regressor",
        (
            {"n_neighbors": 2},
            {"n_neighbors": 3, "weights": "distance", "algorithm": "kd_tree", "leaf_size": 2},
            {"n_neighbors": 3, "metric": "cosine", "algorithm": "brute"},
            {"n_neighbors": 2, "metric": "precomputed"},
        ),
    ),
    Entry(
        "gramian.neighbors.NearestNeighbors",
        "neighbors",
        ({}, {"p": 3, "algorithm": "kd_tree"}, {"metric": "canberra"}, {"metric": "precomputed"}),
    ),
    Entry(
        "gramian.neighbors.RadiusNeighborsClassifier",
        "classifier",
        (
            {"outlier_label": "most_frequent"},
            {"radius": 8.0, "weights": "distance", "algorithm": "brute"},
        ),
    ),
    Entry(
        "gramian.neighbors.RadiusNeighborsRegressor",
        "regressor",
        ({}, {"radius": 2.0, "weights": "distance", "metric": "chebyshev"}),
    ),
)

# Public names beside the estimators, by the module that holds them.
FUNCTIONS: dict[str, str] = {
    "Bootstrap": "gramian.evaluate",
    "DecisionProblem": "gramian.bayes",
    "EarlyStopping": "gramian.base.callbacks",
    "FiveByTwo": "gramian.evaluate",
    "GuardedLeavePOut": "gramian.evaluate",
    "IterativeStratifiedKFold": "gramian.evaluate",
    "KDTree": "gramian.neighbors",
    "TimeBudget": "gramian.base.callbacks",
    "auc_interval": "gramian.evaluate",
    "best_partition": "gramian.cluster",
    "bias_variance": "gramian.evaluate",
    "bias_variance_curve": "gramian.evaluate",
    "bootstrap_error": "gramian.evaluate",
    "calibration_points": "gramian.evaluate",
    "choose_on_validation": "gramian.evaluate",
    "classify_quadric": "gramian.features",
    "compare": "gramian.evaluate",
    "conditional_mean": "gramian.distributions",
    "conditional_risk": "gramian.bayes",
    "confusion": "gramian.evaluate",
    "count_monomials": "gramian.features",
    "diagnose_fit": "gramian.evaluate",
    "empirical_risk": "gramian.evaluate",
    "error_against_k": "gramian.neighbors",
    "error_reject_points": "gramian.evaluate",
    "expected_cost_points": "gramian.evaluate",
    "extrapolation_errors": "gramian.evaluate",
    "get_num_threads": "gramian.base.threads",
    "kmeans_plusplus": "gramian.cluster",
    "kneighbors_graph": "gramian.neighbors",
    "learning_errors": "gramian.evaluate",
    "least_empirical_risk": "gramian.evaluate",
    "least_risk": "gramian.bayes",
    "likelihood_ratio_test": "gramian.bayes",
    "likelihood_ratio_threshold": "gramian.bayes",
    "load": "gramian.base.files",
    "misclassified": "gramian.evaluate",
    "pairwise_objective": "gramian.cluster",
    "precision_recall_points": "gramian.evaluate",
    "radius_neighbors_graph": "gramian.neighbors",
    "residual_report": "gramian.evaluate",
    "roc_points": "gramian.evaluate",
    "save": "gramian.base.files",
    "set_num_threads": "gramian.base.threads",
    "show_versions": "gramian.base.versions",
    "three_way_split": "gramian.evaluate",
    "threshold_for_costs": "gramian.evaluate",
    "threshold_for_limit": "gramian.evaluate",
    "validation_errors": "gramian.evaluate",
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
