"""How the contract tests make each estimator, and which of scikit-learn's checks excuse it.

`SETTINGS` has several sets of parameters for a class, fast on small data; a class that is not
listed is made with its defaults. `EXCUSED` lists the checks of scikit-learn that it expects its own
class of that name to fail, with the reason.
"""

from typing import Any

from sklearn.base import clone

import gramian
from gramian.base.catalogue import Entry


def examples(entry: Entry) -> list[Any]:
    """Make one estimator for each of the settings."""
    return [clone(entry.resolve()(**s)) for s in SETTINGS.get(entry.name, ({},))]


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
    ("line", gramian.LogisticRegression()),
    ("tree", gramian.DecisionTreeClassifier(max_depth=3)),
]
_REGRESSORS = [
    ("line", gramian.Ridge()),
    ("tree", gramian.DecisionTreeRegressor(max_depth=3)),
]

# scikit-learn expects its own forests to fail this for the same reason.
_ROWS_IN_BAGS = dict.fromkeys(
    (
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weight_equivalence_on_sparse_data",
    ),
    "each member draws its rows at random; equal in distribution",
)

SETTINGS: dict[str, tuple[dict[str, Any], ...]] = {
    "BRkNN": ({"n_neighbors": 3}, {"n_neighbors": 3, "extension": "b", "metric": "l1"}),
    "BinaryRelevance": (
        {"estimator": gramian.LogisticRegression(tol=1e-10)},
        {"estimator": gramian.RidgeClassifier(), "threshold": 0.1},
    ),
    "CalibratedLabelRanking": ({"estimator": gramian.LogisticRegression(tol=1e-10)},),
    "ClassifierChain": (
        {"estimator": gramian.LogisticRegression(tol=1e-10)},
        {
            "estimator": gramian.LogisticRegression(tol=1e-10),
            "order": "random",
            "chain_method": "predict_proba",
            "random_state": 0,
        },
    ),
    "EnsembleOfClassifierChains": (
        {
            "estimator": gramian.LogisticRegression(tol=1e-10),
            "n_estimators": 2,
            "random_state": 0,
        },
    ),
    "HOMER": (
        {
            "estimator": gramian.BinaryRelevance(gramian.LogisticRegression(tol=1e-10)),
            "n_children": 2,
            "random_state": 0,
        },
    ),
    "LabelPartitioner": ({"n_partitions": 3, "random_state": 0},),
    "LabelPowerset": (
        {"estimator": gramian.LogisticRegression(tol=1e-10)},
        {"estimator": gramian.DecisionTreeClassifier(max_depth=4, random_state=0), "min_count": 2},
    ),
    "MLkNN": ({"n_neighbors": 3},),
    "PartitionedRanker": (
        {
            "estimator": gramian.BinaryRelevance(gramian.LogisticRegression(tol=1e-10)),
            "partitioner": gramian.LabelPartitioner(3, random_state=0),
        },
    ),
    "RAkELd": (
        {
            "estimator": gramian.DecisionTreeClassifier(max_depth=4, random_state=0),
            "random_state": 0,
        },
    ),
    "RAkELo": (
        {
            "estimator": gramian.DecisionTreeClassifier(max_depth=4, random_state=0),
            "random_state": 0,
        },
    ),
    "BayesDecision": ({"estimator": gramian.KNeighborsClassifier(), "cv": None},),
    "KMeans": (
        {"n_clusters": 3, "random_state": 0},
        {"n_clusters": 3, "init": "random", "n_init": 2, "random_state": 0},
        {"n_clusters": 3, "init": "partition", "n_init": 2, "random_state": 0},
    ),
    "AgglomerativeClustering": ({}, {"linkage": "medoid", "metric": "manhattan"}),
    "BalancedKMeans": (
        {"n_clusters": 3, "random_state": 0},
        {"n_clusters": 3, "assignment": "eviction", "random_state": 0},
    ),
    "BisectingKMeans": ({"n_clusters": 3, "random_state": 0},),
    "DivisiveClustering": ({"n_clusters": 3, "random_state": 0},),
    "DBSCAN": ({"eps": 1.5}, {"eps": 2.0, "metric": "manhattan", "algorithm": "brute"}),
    "HDBSCAN": ({}, {"cluster_selection_method": "leaf", "metric": "manhattan"}),
    "KMedoids": (
        {"n_clusters": 3, "init": "build"},
        {"n_clusters": 3, "init": "build", "metric": "manhattan", "method": "alternate"},
    ),
    "SpectralClustering": (
        {"n_clusters": 3, "random_state": 0, "n_init": 2, "gamma": 0.05},
        {"n_clusters": 3, "random_state": 0, "affinity": "nearest_neighbors", "n_neighbors": 5},
    ),
    "SpectralEmbedding": ({"affinity": "rbf", "random_state": 0},),
    "MiniBatchKMeans": (
        {"n_clusters": 3, "random_state": 0},
        {"n_clusters": 3, "batch_size": 20, "init": "random", "random_state": 0},
    ),
    "GaussianMixture": (
        {"tol": 1e-8},
        {"tol": 1e-8, "covariance_type": "diag"},
        {"tol": 1e-8, "covariance_type": "tied"},
    ),
    "GenerativeClassifier": ({"density": gramian.GaussianMixture(reg_covar=1e-3)},),
    "LinearDiscriminantAnalysis": (
        {},
        {"solver": "lsqr", "shrinkage": 0.1},
        {"solver": "eigen", "shrinkage": 0.2},
        {"covariance": "isotropic"},
    ),
    "MixedNB": ({}, {"distributions": "kernel"}, {"distributions": "histogram"}),
    "QuadraticDiscriminantAnalysis": (
        {"reg_param": 0.01},
        {"covariance": "diagonal", "reg_param": 0.01},
        {"covariance": "tied", "singular": "drop"},
    ),
    "FactorAnalysis": ({"n_components": 1}, {"n_components": 1, "method": "em", "tol": 1.0}),
    "FastICA": ({"random_state": 0, "tol": 0.01},),
    "NMF": ({"n_components": 2, "random_state": 0, "max_iter": 500},),
    "Isomap": ({"n_neighbors": 35},),  # with fewer the groups of rows are not connected
    "KernelPCA": (
        {"n_components": 2, "random_state": 0},
        {"n_components": 2, "kernel": "rbf", "random_state": 0},
    ),
    "MDS": ({"random_state": 0},),
    "Whitener": ({}, {"method": "cholesky", "ridge": 0.01}),
    "HistogramDensity": ({"bins": 3}, {"width": 2.0}),
    "KNeighborsDensity": ({}, {"n_neighbors": 3, "kernel": "gaussian"}),
    "KernelDensity": ({}, {"kernel": "tophat", "bandwidth": 3.0, "metric": "manhattan"}),
    "KernelDensityClassifier": ({}, {"kernel": "epanechnikov", "priors": None}),
    "Nystroem": (
        {"n_components": 5, "random_state": 0},
        {"n_components": 5, "kernel": "poly", "random_state": 0},
    ),
    "PolynomialCountSketch": (
        {"n_components": 30, "random_state": 0},
        {"n_components": 30, "degree": 3, "coef0": 1.0, "random_state": 0},
    ),
    "RBFSampler": ({"n_components": 30, "random_state": 0},),
    "KernelPerceptron": ({"max_iter": 50},),
    "KernelRidge": (
        {},
        {"kernel": "rbf", "gamma": "scale"},
    ),
    "KernelRidgeCV": (  # leaving out a row removes its whole weight and moves the alpha
        {"alphas": (1.0,)},
        {"kernel": "laplacian", "alphas": (0.5,), "alpha_per_target": True},
    ),
    "KernelRegressor": ({}, {"degree": 1, "kernel": "epanechnikov", "bandwidth": 5.0}),
    "SmoothingSpline": ({"max_iter": 5}, {"lam": 0.1, "max_iter": 5}),
    "TablePreparer": ({}, {"scale": False, "missing": "keep", "categories": "codes"}),
    "AdaBoostClassifier": (
        {"n_estimators": 5},
        {
            "n_estimators": 5,
            "estimator": gramian.DecisionTreeClassifier(max_depth=2),
        },
    ),
    "AdaBoostRegressor": (
        {"n_estimators": 5, "random_state": 0},
        {"n_estimators": 5, "loss": "square", "random_state": 0},
    ),
    "BaggingClassifier": (
        {"n_estimators": 5, "random_state": 0},
        {
            "n_estimators": 5,
            "estimator": gramian.KNeighborsClassifier(n_neighbors=2),
            "max_samples": 0.7,
            "max_features": 0.6,
            "random_state": 0,
        },
    ),
    "BaggingRegressor": (
        {"n_estimators": 5, "random_state": 0},
        {
            "n_estimators": 5,
            "estimator": gramian.KNeighborsRegressor(n_neighbors=2),
            "random_state": 0,
        },
    ),
    "CascadeClassifier": (
        {"estimators": _CLASSIFIERS},
        {"estimators": _CLASSIFIERS, "train_on": "unsure"},
    ),
    "DecisionStump": ({}, {"criterion": "error"}),
    "ExtraTreesClassifier": (
        {"n_estimators": 5, "random_state": 0},
        {"n_estimators": 5, "max_depth": 3, "random_state": 0},
    ),
    "ExtraTreesRegressor": (
        {"n_estimators": 5, "random_state": 0},
        {"n_estimators": 5, "max_features": 0.5, "random_state": 0},
    ),
    "GradientBoostingClassifier": (
        {"n_estimators": 5},
        {"n_estimators": 5, "loss": "log_loss", "max_leaf_nodes": 4},
        {"n_estimators": 5, "init": gramian.LogisticRegression()},
        {"n_estimators": 5, "estimator": gramian.Ridge()},
    ),
    "GradientBoostingRegressor": (
        {"n_estimators": 5, "learning_rate": 0.5},
        {"n_estimators": 5, "learning_rate": 0.5, "max_leaf_nodes": 4},
        {"n_estimators": 20, "loss": "huber"},
        {"n_estimators": 5, "estimator": gramian.Ridge()},
    ),
    "HistGradientBoostingClassifier": (
        {"max_iter": 5, "min_samples_leaf": 5},
        {"max_iter": 5, "min_samples_leaf": 5, "leaf_steps": 3},
        {
            "max_iter": 5,
            "min_samples_leaf": 5,
            "early_stopping": True,
            "validation_fraction": None,
        },
    ),
    "HistGradientBoostingRegressor": (
        {"max_iter": 5, "min_samples_leaf": 5},
        {"max_iter": 5, "min_samples_leaf": 5, "max_leaf_nodes": None, "max_bins": 16},
    ),
    "RandomForestClassifier": (
        {"n_estimators": 5, "random_state": 0},
        {"n_estimators": 5, "max_bins": 8, "criterion": "entropy", "random_state": 0},
        {"n_estimators": 5, "class_weight": "balanced_subsample", "random_state": 0},
    ),
    "RandomForestRegressor": (
        {"n_estimators": 5, "random_state": 0},
        {"n_estimators": 5, "max_features": 0.4, "max_samples": 0.8, "random_state": 0},
    ),
    "VotingClassifier": (
        {"estimators": _CLASSIFIERS},
        {"estimators": _CLASSIFIERS, "voting": "soft", "weights": [1, 2]},
        {"estimators": _CLASSIFIERS, "voting": "median"},
    ),
    "VotingRegressor": (
        {"estimators": _REGRESSORS},
        {"estimators": _REGRESSORS, "combine": "median", "weights": [1, 2]},
        {"estimators": _REGRESSORS, "combine": "bayes", "cv": 2},
    ),
    "BasisFeatures": (
        {"n_functions": 3},
        {"basis": "sigmoid", "n_functions": 2, "include_bias": True},
        {"basis": "polynomial", "n_functions": 3},
        {"basis": abs, "n_functions": 2},
    ),
    "BestSubsetSelector": ({}, {"scoring": "r2", "cv": 2, "max_size": 3}),
    "QuadricFeatures": (
        {},
        {"terms": "axis-aligned", "include_bias": True},
        {"terms": "quadratic"},
        {"terms": "squares"},
    ),
    "RandomFeatures": (
        {"n_components": 5, "random_state": 0},
        {"n_components": 5, "kind": "noise", "include_input": True, "random_state": 0},
    ),
    "GaussianRandomProjection": (
        {"n_components": 2, "random_state": 0},
        {"n_components": 2, "compute_inverse_components": True, "random_state": 0},
    ),
    "OrthonormalRandomProjection": ({"n_components": 1, "random_state": 0},),
    "SparseRandomProjection": (
        {"n_components": 2, "density": 0.6, "random_state": 0},
        {"n_components": 2, "dense_output": True, "random_state": 0},
    ),
    "StepwiseSelector": (
        {"cv": 2},
        {"direction": "backward", "scoring": "bic", "n_features_to_select": 1, "tries": 2},
        {"scoring": "aic", "early_stop": True},
    ),
    "BayesianRidge": (
        {},
        {"optimize": False, "alpha_init": 1.0, "lambda_init": 0.5, "fit_intercept": False},
        {"compute_score": True, "tol": 1e-8},
    ),
    "ChebyshevRegression": ({}, {"fit_intercept": False}),
    "ElasticNet": (
        {"alpha": 0.1, "tol": 1e-10},
        {"alpha": 0.1, "tol": 1e-10, "l1_ratio": 0.0},
        {"alpha": 0.1, "tol": 1e-10, "positive": True},
    ),
    "ElasticNetCV": (
        {"alphas": 4, "cv": 2, "tol": 1e-13},
        {"l1_ratio": [0.5, 1.0], "alphas": 3, "cv": 2, "tol": 1e-13},
    ),
    "HuberRegressor": ({"tol": 1e-10}, {"tol": 1e-10, "epsilon": 2.0, "fit_intercept": False}),
    "Lars": ({}, {"n_nonzero_coefs": 1}),
    "Lasso": (
        {"alpha": 0.05, "tol": 1e-10},
        {"alpha": 0.05, "tol": 1e-10, "fit_intercept": False},
        {"alpha": 0.05, "tol": 1e-10, "positive": True},
    ),
    "LassoCV": ({"alphas": 4, "cv": 2, "tol": 1e-13},),
    "LassoLars": ({"alpha": 0.05}, {"alpha": 0.05, "positive": True}),
    "LeastAbsoluteDeviations": ({}, {"fit_intercept": False}),
    "LinearRegression": ({}, {"fit_intercept": False}, {"positive": True}),
    # pure noise takes ten million steps at this tol, or does not get there
    "NuSVC": ({"tol": 1e-9, "nu": 0.16, "max_iter": 300_000},),
    "NuSVR": ({"tol": 1e-9},),
    "OneClassSVM": ({"tol": 1e-9, "nu": 0.2},),
    "SVR": ({"tol": 1e-9}, {"tol": 1e-9, "kernel": "linear"}),
    "SVCGridCV": (
        {"estimator": gramian.SVC(tol=1e-9), "Cs": (1.0, 10.0), "gammas": (0.1, 0.5), "cv": 2},
    ),
    "SVC": ({"tol": 1e-9}, {"tol": 1e-9, "kernel": "linear", "break_ties": True}),
    "LinearSVC": (
        {"tol": 1e-10, "max_iter": 100_000, "random_state": 0},
        {"tol": 1e-10, "max_iter": 100_000, "random_state": 0, "dual": True},
        {"tol": 1e-9, "max_iter": 100_000, "random_state": 0, "loss": "hinge", "C": 0.1},
    ),
    "LinearSVR": (
        {"tol": 1e-9, "max_iter": 1_000_000, "random_state": 0, "C": 0.1},
        {
            "tol": 1e-9,
            "max_iter": 1_000_000,
            "random_state": 0,
            "loss": "squared_epsilon_insensitive",
            "C": 0.01,
        },
    ),
    "LogisticRegression": (
        {"tol": 1e-10},
        {"tol": 1e-10, "multi_class": "ovr"},
        {"tol": 1e-10, "multi_class": "reference"},
        {"tol": 1e-8, "solver": "lbfgs", "max_iter": 1000},
        {"tol": 1e-8, "solver": "newton-cg", "class_weight": "balanced"},
        {"tol": 1e-9, "l1_ratio": 0.5, "multi_class": "ovr"},
        {"tol": 1e-6, "l1_ratio": 1.0},
    ),
    "LogisticRegressionCV": ({"Cs": 3, "cv": 2, "tol": 1e-10}, {"Cs": 2, "cv": 2, "refit": False}),
    "NearestCentroid": ({}, {"shrink_threshold": 0.1}, {"priors": "empirical"}),
    "OneVsOneClassifier": (
        {"estimator": gramian.LogisticRegression(tol=1e-10)},
        {"estimator": gramian.DecisionTreeClassifier(max_depth=3)},
    ),
    "OneVsRestClassifier": (
        {"estimator": gramian.LogisticRegression(tol=1e-10)},
        {"estimator": gramian.LogisticRegression(C=0.1, class_weight="balanced", tol=1e-10)},
    ),
    "PairwiseClassifier": (
        {"estimator": gramian.LogisticRegression(tol=1e-10)},
        {
            "estimator": gramian.LogisticRegression(tol=1e-10),
            "rule": "all",
        },
    ),
    "Perceptron": ({}, {"average": True}),
    "PoissonRegressor": ({"tol": 1e-10}, {"tol": 1e-8, "solver": "lbfgs"}),
    "QuantileRegressor": ({"alpha": 0.0}, {"alpha": 0.01, "quantile": 0.8}),
    "Ridge": (
        {},
        {"solver": "svd", "fit_intercept": False},
        {"solver": "sparse_cg", "tol": 1e-12},
        {"positive": True},
        {"penalize_intercept": True},
    ),
    "RidgeCV": ({}, {"cv": 2, "fit_intercept": False}),
    "RidgeClassifier": ({}, {"class_weight": "balanced"}, {"solver": "sparse_cg", "tol": 1e-12}),
    "RidgeClassifierCV": ({}, {"cv": 2}),
    "SGDClassifier": (
        {"random_state": 0},
        {  # short steps: the "optimal" ones begin so long that they blow up rounding
            "random_state": 0,
            "loss": "log_loss",
            "average": True,
            "learning_rate": "adaptive",
            "eta0": 0.1,
        },
    ),
    "SGDRegressor": ({"random_state": 0}, {"random_state": 0, "average": True}),
    "SigmoidDiscriminant": ({"tol": 1e-8},),
    "KNeighborsClassifier": (
        {"n_neighbors": 2},
        {"n_neighbors": 3, "weights": "distance", "algorithm": "kd_tree", "leaf_size": 2},
        {"n_neighbors": 3, "algorithm": "brute", "p": 1},
        {"n_neighbors": 2, "metric": "precomputed"},
    ),
    "KNeighborsRegressor": (
        {"n_neighbors": 2},
        {"n_neighbors": 3, "weights": "distance", "algorithm": "kd_tree", "leaf_size": 2},
        {"n_neighbors": 3, "metric": "cosine", "algorithm": "brute"},
        {"n_neighbors": 2, "metric": "precomputed"},
    ),
    "LSHNeighbors": (
        {"n_probes": 20, "random_state": 0},
        {"hashing": "p_stable", "n_tables": 4, "n_probes": 20, "random_state": 0},
        {"metric": "cosine", "n_tables": 4, "n_probes": 8, "random_state": 0},
        {"recall": 0.9, "random_state": 0},
    ),
    "Autoencoder": (
        {"n_components": 3, "max_iter": 20, "random_state": 0},
        {
            "n_components": 4,
            "max_iter": 20,
            "random_state": 0,
            "activation": "tanh",
            "tied_weights": True,
        },
    ),
    "DenoisingAutoencoder": (
        {"n_components": 3, "max_iter": 20, "random_state": 0},
        {
            "n_components": 3,
            "max_iter": 20,
            "random_state": 0,
            "corruption": "salt_and_pepper",
            "solver": "sgd",
        },
        {
            "n_components": 3,
            "max_iter": 20,
            "random_state": 0,
            "corruption": "gaussian",
            "activation": "relu",
        },
    ),
    "StackedDenoisingAutoencoder": (
        {"hidden_layer_sizes": (6, 3), "max_iter": 20, "random_state": 0},
        {"hidden_layer_sizes": (5,), "max_iter": 20, "random_state": 0, "tied_weights": True},
    ),
    "StackedDenoisingClassifier": (
        {
            "hidden_layer_sizes": (16, 8),
            "pretrain_iter": 10,
            "max_iter": 100,
            "random_state": 0,
            "learning_rate_init": 0.02,
        },
    ),
    "ConvClassifier": (
        {"max_iter": 60, "random_state": 0, "learning_rate_init": 0.01},
        {
            "layers": [
                gramian.neural_network.LocallyConnected(4, 2, padding="same"),
                gramian.neural_network.Dense(16, "tanh"),
            ],
            "max_iter": 60,
            "random_state": 0,
            "solver": "sgd",
            "learning_rate_init": 0.05,
            "alpha": 1e-4,
        },
    ),
    "ConvRegressor": (
        {"max_iter": 80, "random_state": 0, "learning_rate_init": 0.01, "n_iter_no_change": None},
        {
            "layers": [
                gramian.neural_network.Conv(4, 2, padding="same", activation="tanh"),
                gramian.neural_network.Dense(16),
            ],
            "max_iter": 80,
            "random_state": 0,
            "learning_rate_init": 0.02,
            "learning_rate": "cosine",
        },
    ),
    "NearestNeighbors": (
        {},
        {"p": 3, "algorithm": "kd_tree"},
        {"metric": "canberra"},
        {"metric": "precomputed"},
    ),
    "RadiusNeighborsClassifier": (
        {"outlier_label": "most_frequent"},
        {"radius": 8.0, "weights": "distance", "algorithm": "brute"},
    ),
    "RadiusNeighborsRegressor": ({}, {"radius": 2.0, "weights": "distance", "metric": "chebyshev"}),
    "C45Classifier": (
        {},
        {"pruning": None, "collapse": False, "min_samples_leaf": 1},
        {"estimate": "quinlan", "subtree_raising": False, "class_weight": "balanced"},
    ),
    "DecisionTreeClassifier": (
        {},
        {"criterion": "entropy", "max_depth": 4},
        {"criterion": "gain_ratio", "max_leaf_nodes": 6, "ccp_alpha": 0.01},
        {"splitter": "random", "max_features": "sqrt", "random_state": 0},
        {"criterion": "misclassification", "combine": "sum", "max_purity": 0.9},
    ),
    "DecisionTreeRegressor": (
        {},
        {"criterion": "absolute_error", "max_depth": 4},
        {"criterion": "worst_error", "max_leaf_nodes": 8},
        {"splitter": "random", "max_features": 0.5, "random_state": 0},
        {"ccp_alpha": 0.01, "combine": "sum"},
    ),
    "MLPClassifier": (
        {"hidden_layer_sizes": (20,), "learning_rate_init": 0.02, "tol": 0.01, "random_state": 0},
        {
            "hidden_layer_sizes": (10,),
            "activation": "tanh",
            "solver": "lbfgs",
            "alpha": 0.3,
            "tol": 1e-9,
            "max_iter": 5000,
            "random_state": 0,
        },
        {
            "hidden_layer_sizes": (12, 8),
            "activation": ["tanh", "relu"],
            "solver": "sgd",
            "batch_norm": True,
            "learning_rate_init": 0.1,
            "tol": 0.01,
            "random_state": 0,
        },
    ),
    "MLPRegressor": (
        {"hidden_layer_sizes": (20,), "learning_rate_init": 0.02, "tol": 0.01, "random_state": 0},
        {
            "hidden_layer_sizes": (10,),
            "activation": "tanh",
            "solver": "lbfgs",
            "alpha": 3.0,
            "tol": 1e-11,
            "max_iter": 5000,
            "random_state": 0,
        },
        {
            "hidden_layer_sizes": (12, 8),
            "activation": "tanh",
            "solver": "rmsprop",
            "batch_norm": True,
            "init": "xavier",
            "learning_rate_init": 0.01,
            "tol": 0.01,
            "random_state": 0,
        },
    ),
    "ModelTreeRegressor": (
        {},
        {"smoothing": 0.0, "max_depth": 2},
        {"prune": False, "min_samples_leaf": 4},
    ),
    "ObliqueTreeClassifier": (
        {},
        {"split": "centroid", "criterion": "entropy", "max_depth": 3},
        {"split": "ridge", "max_split_features": 2, "class_weight": "balanced"},
        {"split": "random", "n_candidates": 5, "shape": "quadratic", "random_state": 0},
    ),
    "ObliqueTreeRegressor": (
        {},
        {"split": "centroid", "max_depth": 3, "axis_parallel": False},
        {"split": "random", "n_candidates": 5, "random_state": 0},
    ),
}

EXCUSED: dict[str, dict[str, str]] = {
    "BisectingKMeans": _ROWS_AT_RANDOM,
    "KMeans": _ROWS_AT_RANDOM,
    "MiniBatchKMeans": _ROWS_AT_RANDOM,
    "BaggingClassifier": _DRAWN_ROWS,
    "EnsembleOfClassifierChains": _ROWS_IN_BAGS,
    "PartitionedRanker": _ROWS_AT_RANDOM,
    "BaggingRegressor": _DRAWN_ROWS,
    "HistGradientBoostingClassifier": _ROWS_COUNT,
    "HistGradientBoostingRegressor": _ROWS_COUNT,
    "RandomForestClassifier": _ROWS_IN_BAGS,
    "RandomForestRegressor": _ROWS_IN_BAGS,
    "Perceptron": _ROWS_IN_RANDOM_ORDER,
    "SGDClassifier": _ROWS_IN_RANDOM_ORDER,
    "SGDRegressor": _ROWS_IN_RANDOM_ORDER,
    "NuSVC": {
        "check_class_weight_classifiers": (
            "class weights of 1000 and 0.0001 make every nu above 2e-7 infeasible; scikit-learn's "
            "class is excused too"
        ),
    },
}
