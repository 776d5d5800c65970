"""Where a class differs from scikit-learn's class of its name, and why: the only such list.

Keys are ``Class.thing``: a parameter, ``default of parameter``, a method, ``method(argument)``,
``method(default of argument)`` or a fitted attribute.
"""

_DEPRECATED = "scikit-learn 1.9 deprecates it"
_CHANGES = "scikit-learn 1.9 warns that its default changes; ours is the coming one"
_AUTO = "'auto' takes the fastest solver for the problem; 'lbfgs' is taken too"
_ROUTED = "metadata for the scorer is not routed"
_NO_PROBABILITY = "needs `probability`, which scikit-learn 1.9 deprecates; calibrate instead"
_OTHER_CODE = "an object of scikit-learn's own code, which has no counterpart here"

DIFFERENCES: dict[str, str] = {
    "ClassifierChain.fit(Y)": "called y, as in every other estimator",
    "ElasticNet.path(default of alphas)": _CHANGES,
    "ElasticNet.path(n_alphas)": _DEPRECATED,
    "ElasticNet.path(params)": "tol and max_iter, which are named",
    "ElasticNetCV.path(default of alphas)": _CHANGES,
    "ElasticNetCV.path(n_alphas)": _DEPRECATED,
    "ElasticNetCV.path(params)": "tol and max_iter, which are named",
    "GradientBoostingClassifier.criterion": _DEPRECATED,
    "GradientBoostingRegressor.criterion": _DEPRECATED,
    "Isomap.kernel_pca_": _OTHER_CODE,
    "KernelDensity.tree_": _OTHER_CODE,
    "Lasso.path(default of alphas)": _CHANGES,
    "Lasso.path(n_alphas)": _DEPRECATED,
    "Lasso.path(params)": "tol and max_iter, which are named",
    "LassoCV.path(default of alphas)": _CHANGES,
    "LassoCV.path(n_alphas)": _DEPRECATED,
    "LassoCV.path(params)": "tol and max_iter, which are named",
    "LogisticRegression.default of solver": _AUTO,
    "LogisticRegression.n_jobs": _DEPRECATED,
    "LogisticRegression.penalty": _DEPRECATED,
    "LogisticRegressionCV.default of l1_ratios": _CHANGES,
    "LogisticRegressionCV.default of scoring": _CHANGES,
    "LogisticRegressionCV.default of solver": _AUTO,
    "LogisticRegressionCV.penalty": _DEPRECATED,
    "LogisticRegressionCV.score(score_params)": _ROUTED,
    "LogisticRegressionCV.use_legacy_attributes": _CHANGES,
    "MDS.default of init": _CHANGES,
    "MDS.dissimilarity": _DEPRECATED,
    "NuSVC.predict_log_proba": _NO_PROBABILITY,
    "NuSVC.predict_proba": _NO_PROBABILITY,
    "NuSVC.probA_": _NO_PROBABILITY,
    "NuSVC.probB_": _NO_PROBABILITY,
    "NuSVC.probability": _DEPRECATED,
    "PoissonRegressor.default of solver": _AUTO,
    "SVC.predict_log_proba": _NO_PROBABILITY,
    "SVC.predict_proba": _NO_PROBABILITY,
    "SVC.probA_": _NO_PROBABILITY,
    "SVC.probB_": _NO_PROBABILITY,
    "SVC.probability": _DEPRECATED,
}

_NO_MEASURE = "a name that SciPy has dropped, or a distance for missing values or functions"

# Values of a parameter, by name, that scikit-learn's class takes and ours does not.
REFUSED_VALUES: dict[str, tuple[set[str], str]] = {
    "AgglomerativeClustering.metric": ({"matching", "nan_euclidean", "wminkowski"}, _NO_MEASURE),
    "ClassifierChain.cv": ({"prefit"}, "not documented there; a chain fits its members"),
    "DBSCAN.metric": ({"matching", "nan_euclidean", "wminkowski"}, _NO_MEASURE),
    "HDBSCAN.metric": (
        {"matching", "nan_euclidean", "pyfunc", "sokalmichener", "wminkowski"},
        _NO_MEASURE,
    ),
    "KernelDensity.metric": (
        {
            "braycurtis", "canberra", "dice", "hamming", "jaccard", "pyfunc", "rogerstanimoto",
            "russellrao", "sokalmichener", "sokalsneath",
        },
        "no density: the volume of a ball is that of another metric",
    ),
    "LinearSVC.multi_class": ({"crammer_singer"}, "seldom used; not implemented"),
    "LinearSVC.penalty": ({"l1"}, "not implemented; LogisticRegression has it"),
} | {
    f"{name}.metric": ({"nan_euclidean", "pyfunc", "sokalmichener"}, _NO_MEASURE)
    for name in (
        "KNeighborsClassifier", "KNeighborsRegressor", "NearestNeighbors",
        "RadiusNeighborsClassifier", "RadiusNeighborsRegressor",
    )
}  # fmt: skip
