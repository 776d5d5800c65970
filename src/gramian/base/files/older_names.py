"""What older model files call things: the only place where old names live.

A file of format 3 or below names classes by the addresses of its time, one of format 4 or below
parameters and fitted attributes, one of format 6 or below boosting in function space.
"""

from collections.abc import Callable
from typing import Any

# Classes whose address changed, by the last format that has the old one.
CLASSES: dict[str, str] = {
    "gramian.bayes.BayesDecision": "gramian.decision.BayesDecision",
    "gramian.ensembles.AdaBoostClassifier": "gramian.ensemble.AdaBoostClassifier",
    "gramian.ensembles.AdaBoostRegressor": "gramian.ensemble.AdaBoostRegressor",
    "gramian.ensembles.BaggingClassifier": "gramian.ensemble.BaggingClassifier",
    "gramian.ensembles.BaggingRegressor": "gramian.ensemble.BaggingRegressor",
    "gramian.ensembles.CascadeClassifier": "gramian.ensemble.CascadeClassifier",
    "gramian.ensembles.DecisionStump": "gramian.ensemble.DecisionStump",
    "gramian.ensembles.ExtraTreesClassifier": "gramian.ensemble.ExtraTreesClassifier",
    "gramian.ensembles.ExtraTreesRegressor": "gramian.ensemble.ExtraTreesRegressor",
    "gramian.ensembles.GradientBoostingClassifier": "gramian.ensemble.GradientBoostingClassifier",
    "gramian.ensembles.GradientBoostingRegressor": "gramian.ensemble.GradientBoostingRegressor",
    "gramian.ensembles.HistGradientBoostingClassifier": (
        "gramian.ensemble.HistGradientBoostingClassifier"
    ),
    "gramian.ensembles.HistGradientBoostingRegressor": (
        "gramian.ensemble.HistGradientBoostingRegressor"
    ),
    "gramian.ensembles.RandomForestClassifier": "gramian.ensemble.RandomForestClassifier",
    "gramian.ensembles.RandomForestRegressor": "gramian.ensemble.RandomForestRegressor",
    "gramian.ensembles.VotingClassifier": "gramian.ensemble.VotingClassifier",
    "gramian.ensembles.VotingRegressor": "gramian.ensemble.VotingRegressor",
    "gramian.ensembles.boosted_trees.BoostedTrees": (
        "gramian.ensemble.hist_boosting.boosted_trees.BoostedTrees"
    ),
    "gramian.features.BasisFeatures": "gramian.preprocessing.BasisFeatures",
    "gramian.features.BestSubsetSelector": "gramian.feature_selection.BestSubsetSelector",
    "gramian.features.ParabolicLift": "gramian.preprocessing.ParabolicLift",
    "gramian.features.QuadricFeatures": "gramian.preprocessing.QuadricFeatures",
    "gramian.features.RandomFeatures": "gramian.preprocessing.RandomFeatures",
    "gramian.features.StepwiseSelector": "gramian.feature_selection.StepwiseSelector",
    "gramian.linear.ChebyshevRegression": "gramian.linear_model.ChebyshevRegression",
    "gramian.linear.ElasticNet": "gramian.linear_model.ElasticNet",
    "gramian.linear.ElasticNetCV": "gramian.linear_model.ElasticNetCV",
    "gramian.linear.HuberRegressor": "gramian.linear_model.HuberRegressor",
    "gramian.linear.Lars": "gramian.linear_model.Lars",
    "gramian.linear.Lasso": "gramian.linear_model.Lasso",
    "gramian.linear.LassoCV": "gramian.linear_model.LassoCV",
    "gramian.linear.LassoLars": "gramian.linear_model.LassoLars",
    "gramian.linear.LeastAbsoluteDeviations": "gramian.linear_model.LeastAbsoluteDeviations",
    "gramian.linear.LinearProgramClassifier": "gramian.linear_model.LinearProgramClassifier",
    "gramian.linear.LinearRegression": "gramian.linear_model.LinearRegression",
    "gramian.linear.LinearSVC": "gramian.svm.LinearSVC",
    "gramian.linear.LinearSVR": "gramian.svm.LinearSVR",
    "gramian.linear.LogisticRegression": "gramian.linear_model.LogisticRegression",
    "gramian.linear.LogisticRegressionCV": "gramian.linear_model.LogisticRegressionCV",
    "gramian.linear.NearestCentroid": "gramian.neighbors.NearestCentroid",
    "gramian.linear.PairwiseClassifier": "gramian.multiclass.PairwiseClassifier",
    "gramian.linear.Perceptron": "gramian.linear_model.Perceptron",
    "gramian.linear.PoissonRegressor": "gramian.linear_model.PoissonRegressor",
    "gramian.linear.QuantileRegressor": "gramian.linear_model.QuantileRegressor",
    "gramian.linear.Ridge": "gramian.linear_model.Ridge",
    "gramian.linear.RidgeCV": "gramian.linear_model.RidgeCV",
    "gramian.linear.RidgeClassifier": "gramian.linear_model.RidgeClassifier",
    "gramian.linear.RidgeClassifierCV": "gramian.linear_model.RidgeClassifierCV",
    "gramian.linear.SGDClassifier": "gramian.linear_model.SGDClassifier",
    "gramian.linear.SGDRegressor": "gramian.linear_model.SGDRegressor",
    "gramian.linear.SigmoidDiscriminant": "gramian.linear_model.SigmoidDiscriminant",
    "gramian.linear.VotedPerceptron": "gramian.linear_model.VotedPerceptron",
    "gramian.trees.C45Classifier": "gramian.tree.C45Classifier",
    "gramian.trees.DecisionTreeClassifier": "gramian.tree.DecisionTreeClassifier",
    "gramian.trees.DecisionTreeRegressor": "gramian.tree.DecisionTreeRegressor",
    "gramian.trees.Forest": "gramian.tree.Forest",
    "gramian.trees.ModelTreeRegressor": "gramian.tree.ModelTreeRegressor",
    "gramian.trees.ObliqueTreeClassifier": "gramian.tree.ObliqueTreeClassifier",
    "gramian.trees.ObliqueTreeRegressor": "gramian.tree.ObliqueTreeRegressor",
    "gramian.trees.Tree": "gramian.tree.Tree",
}

# Classes that another class has the name of since format 7.
CLASSES_UNTIL_6: dict[str, str] = {
    "gramian.ensemble.GradientBoostingClassifier": (
        "gramian.ensemble.FunctionalGradientBoostingClassifier"
    ),
    "gramian.ensemble.GradientBoostingRegressor": (
        "gramian.ensemble.FunctionalGradientBoostingRegressor"
    ),
}

# Parameters and fitted attributes that are called otherwise now, by the class's address of today.
FIELDS: dict[str, dict[str, str]] = {
    "gramian.ensemble.CascadeClassifier": {"training_shares_": "training_proportions_"},
    "gramian.linear_model.Ridge": {"penalise_intercept": "penalize_intercept"},
    "gramian.linear_model.VotedPerceptron": {"machine_": "classifier_index_"},
    "gramian.multiclass.PairwiseClassifier": {"refuse": "reject_label"},
}

# Kinds of columns that are called otherwise now, in models that prepare tables.
KINDS: dict[str, str] = {"number": "numeric", "category": "categorical"}


def current(path: str) -> str:
    """Return the address of today of a class that an older file names.

    Examples
    --------
    >>> current("gramian.linear.Ridge")
    'gramian.linear_model.Ridge'
    """
    return CLASSES.get(path, path)


def with_names_of_7(node: Any) -> Any:
    """Return a node of a manifest of format 6 with the names of format 7."""

    def renamed(part: dict[str, Any]) -> dict[str, Any]:
        if isinstance(part.get("estimator"), str):
            part["estimator"] = CLASSES_UNTIL_6.get(part["estimator"], part["estimator"])
        return part

    return each_object(node, renamed)


def with_current_names(node: Any) -> Any:
    """Return a node of a manifest with the names of today."""
    return each_object(node, _renamed)


def each_object(node: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Return a node of a manifest with every JSON object changed, inner ones first."""
    if isinstance(node, list):
        return [each_object(part, change) for part in node]
    if not isinstance(node, dict):
        return node
    return change({key: each_object(part, change) for key, part in node.items()})


def _renamed(node: dict[str, Any]) -> dict[str, Any]:
    for tag in ("estimator", "record"):
        if isinstance(node.get(tag), str):  # else it is a parameter of that name
            path = node[tag] = current(node[tag])
            names = FIELDS.get(path, {})
            for part in ("params", "fitted", "fields"):
                if part in node:
                    node[part] = {names.get(k, k): v for k, v in node[part].items()}
            if path == "gramian.data.TablePreparer":
                _rename_kinds(node["params"], "kinds")
                _rename_kinds(node["fitted"], "kinds_")
    return node


def _rename_kinds(values: dict[str, Any], name: str) -> None:
    if values.get(name) is not None:
        values[name] = {"dict": [[n, KINDS.get(kind, kind)] for n, kind in values[name]["dict"]]}
