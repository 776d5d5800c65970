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
        return resolve(self.path)

    def examples(self) -> list[Any]:
        """Make one estimator for each of the settings."""
        return [_made(self.path, settings) for settings in self.settings]


def resolve(path: str) -> type[Any]:
    """Import and return the class of a dotted path."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)  # type: ignore[no-any-return]


def _made(path: str, settings: dict[str, Any]) -> Any:
    return resolve(path)(**{k: _with_parts(v) for k, v in settings.items()})


def _with_parts(value: Any) -> Any:
    """Make the estimators that a setting names, also those in a list of named ones."""
    if isinstance(value, Part):
        return _made(value.path, value.settings)
    if isinstance(value, list) and value and isinstance(value[0], tuple):
        return [(name, _with_parts(part)) for name, part in value]
    return value


# scikit-learn expects its own class to fail these two for the same reason.
_ROWS_AT_RANDOM = dict.fromkeys(
    (
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weight_equivalence_on_sparse_data",
    ),
    "the start draws rows at random; equal in distribution, and exactly from given centres",
)

_ROWS_IN_RANDOM_ORDER = dict.fromkeys(
    (
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weight_equivalence_on_sparse_data",
    ),
    "rows are visited one by one in an order of their own; scikit-learn's class is excused alike",
)

# scikit-learn expects its own classes of these names to fail them too.
_ROWS_COUNT = {
    "check_sample_weight_equivalence_on_dense_data": (
        "min_samples_leaf counts rows, whatever their weights"
    ),
}
_DRAWN_ROWS = dict.fromkeys(
    (
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weight_equivalence_on_sparse_data",
    ),
    "rows are drawn at random in proportion to the weights",
)

_CLASSIFIERS = [
    ("line", Part("gramian.linear.LogisticRegression")),
    ("tree", Part("gramian.trees.DecisionTreeClassifier", {"max_depth": 3})),
]
_REGRESSORS = [
    ("line", Part("gramian.linear.Ridge")),
    ("tree", Part("gramian.trees.DecisionTreeRegressor", {"max_depth": 3})),
]

# scikit-learn expects its own forests to fail this for the same reason.
_ROWS_IN_BAGS = {
    "check_sample_weight_equivalence_on_dense_data": (
        "each tree draws its rows at random; equal in distribution"
    ),
}

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
        "gramian.data.TablePreparer",
        "transformer",
        ({}, {"scale": False, "missing": "keep", "categories": "codes"}),
    ),
    Entry(
        "gramian.ensembles.AdaBoostClassifier",
        "classifier",
        settings=(
            {"n_estimators": 5},
            {
                "n_estimators": 5,
                "estimator": Part("gramian.trees.DecisionTreeClassifier", {"max_depth": 2}),
            },
        ),
    ),
    Entry(
        "gramian.ensembles.AdaBoostRegressor",
        "regressor",
        settings=(
            {"n_estimators": 5, "random_state": 0},
            {"n_estimators": 5, "loss": "square", "random_state": 0},
        ),
    ),
    Entry(
        "gramian.ensembles.BaggingClassifier",
        "classifier",
        settings=(
            {"n_estimators": 5, "random_state": 0},
            {
                "n_estimators": 5,
                "estimator": Part("gramian.neighbors.KNeighborsClassifier", {"n_neighbors": 2}),
                "max_samples": 0.7,
                "max_features": 0.6,
                "random_state": 0,
            },
        ),
        excused=_DRAWN_ROWS,
    ),
    Entry(
        "gramian.ensembles.BaggingRegressor",
        "regressor",
        settings=(
            {"n_estimators": 5, "random_state": 0},
            {
                "n_estimators": 5,
                "estimator": Part("gramian.neighbors.KNeighborsRegressor", {"n_neighbors": 2}),
                "random_state": 0,
            },
        ),
        excused=_DRAWN_ROWS,
    ),
    Entry(
        "gramian.ensembles.CascadeClassifier",
        "classifier",
        settings=({"estimators": _CLASSIFIERS}, {"estimators": _CLASSIFIERS, "train_on": "unsure"}),
    ),
    Entry("gramian.ensembles.DecisionStump", "classifier", ({}, {"criterion": "error"})),
    Entry(
        "gramian.ensembles.ExtraTreesClassifier",
        "classifier",
        (
            {"n_estimators": 5, "random_state": 0},
            {"n_estimators": 5, "max_depth": 3, "random_state": 0},
        ),
    ),
    Entry(
        "gramian.ensembles.ExtraTreesRegressor",
        "regressor",
        (
            {"n_estimators": 5, "random_state": 0},
            {"n_estimators": 5, "max_features": 0.5, "random_state": 0},
        ),
    ),
    Entry(
        "gramian.ensembles.GradientBoostingClassifier",
        "classifier",
        settings=(
            {"n_estimators": 5},
            {"n_estimators": 5, "estimator": Part("gramian.linear.Ridge")},
        ),
    ),
    Entry(
        "gramian.ensembles.GradientBoostingRegressor",
        "regressor",
        settings=(
            {"n_estimators": 5, "learning_rate": 0.5},
            {"n_estimators": 5, "estimator": Part("gramian.linear.Ridge")},
        ),
    ),
    Entry(
        "gramian.ensembles.HistGradientBoostingClassifier",
        "classifier",
        settings=(
            {"max_iter": 5, "min_samples_leaf": 5},
            {"max_iter": 5, "min_samples_leaf": 5, "leaf_steps": 3},
            {
                "max_iter": 5,
                "min_samples_leaf": 5,
                "early_stopping": True,
                "validation_fraction": None,
            },
        ),
        excused=_ROWS_COUNT,
    ),
    Entry(
        "gramian.ensembles.HistGradientBoostingRegressor",
        "regressor",
        settings=(
            {"max_iter": 5, "min_samples_leaf": 5},
            {"max_iter": 5, "min_samples_leaf": 5, "max_leaf_nodes": None, "max_bins": 16},
        ),
        excused=_ROWS_COUNT,
    ),
    Entry(
        "gramian.ensembles.RandomForestClassifier",
        "classifier",
        (
            {"n_estimators": 5, "random_state": 0},
            {"n_estimators": 5, "max_bins": 8, "criterion": "entropy", "random_state": 0},
            {"n_estimators": 5, "class_weight": "balanced_subsample", "random_state": 0},
        ),
        excused=_ROWS_IN_BAGS,
    ),
    Entry(
        "gramian.ensembles.RandomForestRegressor",
        "regressor",
        (
            {"n_estimators": 5, "random_state": 0},
            {"n_estimators": 5, "max_features": 0.4, "max_samples": 0.8, "random_state": 0},
        ),
        excused=_ROWS_IN_BAGS,
    ),
    Entry(
        "gramian.ensembles.VotingClassifier",
        "classifier",
        settings=(
            {"estimators": _CLASSIFIERS},
            {"estimators": _CLASSIFIERS, "voting": "soft", "weights": [1, 2]},
            {"estimators": _CLASSIFIERS, "voting": "median"},
        ),
    ),
    Entry(
        "gramian.ensembles.VotingRegressor",
        "regressor",
        settings=(
            {"estimators": _REGRESSORS},
            {"estimators": _REGRESSORS, "combine": "median", "weights": [1, 2]},
            {"estimators": _REGRESSORS, "combine": "bayes", "cv": 2},
        ),
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
    Entry("gramian.linear.LinearProgramClassifier", "classifier"),
    Entry(
        "gramian.linear.LinearRegression",
        "regressor",
        settings=({}, {"fit_intercept": False}, {"positive": True}),
    ),
    Entry(
        "gramian.linear.LinearSVC",
        "classifier",
        settings=(
            {"tol": 1e-10, "max_iter": 100_000, "random_state": 0},
            {"tol": 1e-10, "max_iter": 100_000, "random_state": 0, "dual": True},
            {"tol": 1e-9, "max_iter": 100_000, "random_state": 0, "loss": "hinge", "C": 0.1},
        ),
    ),
    Entry(
        "gramian.linear.LinearSVR",
        "regressor",
        settings=(
            {"tol": 1e-9, "max_iter": 1_000_000, "random_state": 0, "C": 0.1},
            {
                "tol": 1e-9,
                "max_iter": 1_000_000,
                "random_state": 0,
                "loss": "squared_epsilon_insensitive",
            },
        ),
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
        "gramian.linear.NearestCentroid",
        "classifier",
        settings=({}, {"shrink_threshold": 0.1}, {"priors": "empirical"}),
    ),
    Entry(
        "gramian.linear.PairwiseClassifier",
        "classifier",
        settings=(
            {"estimator": Part("gramian.linear.LogisticRegression", {"tol": 1e-10})},
            {
                "estimator": Part("gramian.linear.LogisticRegression", {"tol": 1e-10}),
                "rule": "all",
            },
        ),
    ),
    Entry(
        "gramian.linear.Perceptron",
        "classifier",
        settings=({}, {"average": True}),
        excused=_ROWS_IN_RANDOM_ORDER,
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
    Entry(
        "gramian.linear.SGDClassifier",
        "classifier",
        settings=(
            {"random_state": 0},
            {  # short steps: the "optimal" ones begin so long that they blow up rounding
                "random_state": 0,
                "loss": "log_loss",
                "average": True,
                "learning_rate": "adaptive",
                "eta0": 0.1,
            },
        ),
        excused=_ROWS_IN_RANDOM_ORDER,
    ),
    Entry(
        "gramian.linear.SGDRegressor",
        "regressor",
        settings=({"random_state": 0}, {"random_state": 0, "average": True}),
        excused=_ROWS_IN_RANDOM_ORDER,
    ),
    Entry("gramian.linear.SigmoidDiscriminant", "classifier", settings=({"tol": 1e-8},)),
    Entry("gramian.linear.VotedPerceptron", "classifier"),
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
        "gramian.neighbors.LSHNeighbors",
        "neighbors",
        (
            {"n_probes": 20, "random_state": 0},
            {"hashing": "p_stable", "n_tables": 4, "n_probes": 20, "random_state": 0},
            {"metric": "cosine", "n_tables": 4, "n_probes": 8, "random_state": 0},
            {"recall": 0.9, "random_state": 0},
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
    Entry(
        "gramian.trees.C45Classifier",
        "classifier",
        (
            {},
            {"pruning": None, "collapse": False, "min_samples_leaf": 1},
            {"estimate": "quinlan", "subtree_raising": False, "class_weight": "balanced"},
        ),
    ),
    Entry(
        "gramian.trees.DecisionTreeClassifier",
        "classifier",
        (
            {},
            {"criterion": "entropy", "max_depth": 4},
            {"criterion": "gain_ratio", "max_leaf_nodes": 6, "ccp_alpha": 0.01},
            {"splitter": "random", "max_features": "sqrt", "random_state": 0},
            {"criterion": "misclassification", "combine": "sum", "max_purity": 0.9},
        ),
    ),
    Entry(
        "gramian.trees.DecisionTreeRegressor",
        "regressor",
        (
            {},
            {"criterion": "absolute_error", "max_depth": 4},
            {"criterion": "worst_error", "max_leaf_nodes": 8},
            {"splitter": "random", "max_features": 0.5, "random_state": 0},
            {"ccp_alpha": 0.01, "combine": "sum"},
        ),
    ),
    Entry(
        "gramian.trees.ModelTreeRegressor",
        "regressor",
        ({}, {"smoothing": 0.0, "max_depth": 2}, {"prune": False, "min_samples_leaf": 4}),
    ),
    Entry(
        "gramian.trees.ObliqueTreeClassifier",
        "classifier",
        (
            {},
            {"split": "centroid", "criterion": "entropy", "max_depth": 3},
            {"split": "ridge", "max_split_features": 2, "class_weight": "balanced"},
            {"split": "random", "n_candidates": 5, "shape": "quadratic", "random_state": 0},
        ),
    ),
    Entry(
        "gramian.trees.ObliqueTreeRegressor",
        "regressor",
        (
            {},
            {"split": "centroid", "max_depth": 3, "axis_parallel": False},
            {"split": "random", "n_candidates": 5, "random_state": 0},
        ),
    ),
)

# Frozen dataclasses of plain values that a fitted estimator may hold and a model file may store.
# Their constructor checks what they are given, so that a file cannot bring what fit would not.
RECORDS: tuple[str, ...] = (
    "gramian.ensembles.boosted_trees.BoostedTrees",
    "gramian.trees.Forest",
    "gramian.trees.Tree",
)

# Public names beside the estimators, by the module that holds them.
FUNCTIONS: dict[str, str] = {
    "BSPTree": "gramian.neighbors",
    "Bootstrap": "gramian.evaluate",
    "DecisionProblem": "gramian.bayes",
    "EarlyStopping": "gramian.base.callbacks",
    "FiveByTwo": "gramian.evaluate",
    "Forest": "gramian.trees",
    "GuardedLeavePOut": "gramian.evaluate",
    "Hyperplane": "gramian.linear",
    "IterativeStratifiedKFold": "gramian.evaluate",
    "KDTree": "gramian.neighbors",
    "SortedLine": "gramian.neighbors",
    "TextbookKDTree": "gramian.neighbors",
    "TimeBudget": "gramian.base.callbacks",
    "Tree": "gramian.trees",
    "VoronoiSlabs": "gramian.neighbors",
    "auc_interval": "gramian.evaluate",
    "average_variance": "gramian.ensembles",
    "best_partition": "gramian.cluster",
    "bias_variance": "gramian.evaluate",
    "bias_variance_curve": "gramian.evaluate",
    "bootstrap_error": "gramian.evaluate",
    "calibration_points": "gramian.evaluate",
    "cell_half_spaces": "gramian.neighbors",
    "choose_on_validation": "gramian.evaluate",
    "choose_structure": "gramian.neighbors",
    "classify_quadric": "gramian.features",
    "compare": "gramian.evaluate",
    "conditional_mean": "gramian.distributions",
    "conditional_risk": "gramian.bayes",
    "confusion": "gramian.evaluate",
    "count_monomials": "gramian.features",
    "diagnose_fit": "gramian.evaluate",
    "distinct_share": "gramian.ensembles",
    "empirical_risk": "gramian.evaluate",
    "error_against_k": "gramian.neighbors",
    "error_against_members": "gramian.ensembles",
    "error_reject_points": "gramian.evaluate",
    "expected_cost_points": "gramian.evaluate",
    "extrapolation_errors": "gramian.evaluate",
    "get_num_threads": "gramian.base.threads",
    "in_voronoi_cell": "gramian.neighbors",
    "infer_kinds": "gramian.data",
    "kmeans_plusplus": "gramian.cluster",
    "kneighbors_graph": "gramian.neighbors",
    "learning_errors": "gramian.evaluate",
    "least_empirical_risk": "gramian.evaluate",
    "least_risk": "gramian.bayes",
    "likelihood_ratio_test": "gramian.bayes",
    "likelihood_ratio_threshold": "gramian.bayes",
    "load": "gramian.base.files",
    "load_example": "gramian.data",
    "measured_variance": "gramian.ensembles",
    "misclassified": "gramian.evaluate",
    "mistake_bound": "gramian.linear",
    "model_posterior": "gramian.ensembles",
    "most_voronoi_vertices": "gramian.neighbors",
    "pairwise_objective": "gramian.cluster",
    "precision_recall_points": "gramian.evaluate",
    "radius_neighbors_graph": "gramian.neighbors",
    "read_arff": "gramian.data",
    "read_table": "gramian.data",
    "residual_report": "gramian.evaluate",
    "roc_points": "gramian.evaluate",
    "save": "gramian.base.files",
    "separability": "gramian.linear",
    "set_num_threads": "gramian.base.threads",
    "show_versions": "gramian.base.versions",
    "support_report": "gramian.linear",
    "three_way_split": "gramian.evaluate",
    "threshold_for_costs": "gramian.evaluate",
    "threshold_for_limit": "gramian.evaluate",
    "to_onnx": "gramian.trees",
    "validation_errors": "gramian.evaluate",
    "voronoi_edges": "gramian.neighbors",
    "vote_of": "gramian.ensembles",
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
