"""Base class of the forest classifiers."""

from collections.abc import Callable
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from sklearn.metrics import accuracy_score

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, params
from gramian.base.kinds import Classifier
from gramian.base.scores import score_number
from gramian.base.types import Matrix, Table
from gramian.ensemble.forests.forest_estimator import ForestEstimator
from gramian.ensemble.forests.forest_parameters import ForestParameters
from gramian.ensemble.forests.forest_prediction import Floats
from gramian.tree.class_probabilities import (
    ByOutput,
    ClassProbabilities,
    ListOfDicts,
)
from gramian.tree.decision_tree_classifier import DecisionTreeClassifier
from gramian.tree.growth.grow import MaxFeatures, Targets


@params
class ForestClassifier(ClassProbabilities, ForestEstimator, ForestParameters, Classifier):
    """A forest that averages the trees' class probabilities.

    Parameters
    ----------
    criterion
        The impurity criterion; see `DecisionTreeClassifier`.
    class_weight
        Class weights: ``{class: weight}``, a list of such dicts for several outputs,
        "balanced", or "balanced_subsample" to balance each tree's sample.

    Attributes
    ----------
    estimators_ : list of DecisionTreeClassifier
        The trees, created on access.
    oob_decision_function_ : array of shape (n, n_classes) or (n, n_classes, n_outputs)
        Out-of-bag class probabilities, if `oob_score`.
    """

    _: KW_ONLY
    criterion: Literal["gini", "entropy", "log_loss", "gain_ratio", "misclassification"] = "gini"
    max_features: MaxFeatures = "sqrt"
    class_weight: (
        dict[Any, Any] | ListOfDicts | Literal["balanced", "balanced_subsample"] | None
    ) = None

    _tree_class: ClassVar[Any] = DecisionTreeClassifier

    @property
    def _balances_each_tree(self) -> bool:
        return isinstance(self.class_weight, str) and (
            self.class_weight == "balanced_subsample" and self.bootstrap
        )

    def _score_out_of_bag(self, table: Matrix, targets: Targets, y: npt.ArrayLike) -> None:
        p = self._out_of_bag_with_warning(table)
        self.oob_decision_function_ = p[:, 0] if self.n_outputs_ == 1 else p.transpose(0, 2, 1)
        best, codes = p.argmax(axis=2), np.asarray(targets.codes, dtype=np.intp)
        if self.n_outputs_ == 1:
            codes, best = codes[:, 0], best[:, 0]
        score = self.oob_score if callable(self.oob_score) else _accuracy
        self.oob_score_ = score_number(type(self).__name__, "oob_score", score(codes, best))

    def predict_proba(self, X: Table) -> ByOutput:
        """Return the class probabilities of each row's leaf, averaged over the trees.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        p : array of shape (n, n_classes), or a list of arrays for several outputs
        """
        return self._by_output(np.minimum(self._mean(X), 1.0))  # rounding may exceed 1

    def _scorer(self, y: npt.ArrayLike) -> Callable[[Floats], float]:
        truth = np.asarray(y)
        if self.n_outputs_ > 1:
            raise DataError(
                f"{type(self).__name__}: permutation_importance supports one output only."
            )
        return lambda p: float(np.mean(self._outputs(p) == truth))


def _accuracy(truth: npt.NDArray[np.intp], predicted: npt.NDArray[np.intp]) -> float:
    if truth.ndim == 1:
        return float(accuracy_score(truth, predicted))
    return float((truth == predicted).all(axis=1).mean())
