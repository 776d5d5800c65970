"""Base class of tree-based classifiers: leaves with class probabilities."""

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.fields import Instance
from gramian.base.inputs.targets import check_label_outputs
from gramian.base.inputs.weights import check_weights, unit_weights, weigh_outputs
from gramian.base.kinds import LogProbabilities, Tags
from gramian.base.types import Matrix, Table, Weights
from gramian.tree.growth.grow import Targets, check_concave, class_targets

Probabilities: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
ByOutput: TypeAlias = Probabilities | list[Probabilities]  # a list for several outputs
ListOfDicts = Annotated[list[Any], Instance((list,), "a list")]


if TYPE_CHECKING:
    from gramian.base.kinds import Classifier as _Mixed  # the class that the mixin extends
else:
    _Mixed = object


class ClassProbabilities(LogProbabilities, _Mixed):
    """Predicts with the class probabilities of leaves, for one output or several.

    Attributes
    ----------
    classes_ : array of shape (n_classes,), or a list of arrays for several outputs
        The class labels, sorted.
    n_classes_ : int, or a list of int
        Number of classes of each output.
    n_outputs_ : int
        Number of outputs.
    """

    tags: ClassVar[Tags] = {"classifier_tags.multi_label": True, "target_tags.multi_output": True}
    model_family = "discriminative"

    if TYPE_CHECKING:  # parameters of the classes below
        criterion: Any
        class_weight: Any
        monotonic_cst: Any

    classes_: Any
    n_classes_: Any
    n_outputs_: int

    def _check_targets(
        self,
        table: Matrix,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None,
    ) -> tuple[Targets, Weights | None]:
        """Return class codes, and row weights multiplied by class weights."""
        owner = type(self).__name__
        n = table.shape[0]
        weights = unit_weights(check_weights(self, sample_weight, n))
        codes, self.classes_, several = check_label_outputs(self, y, n)
        codes = codes.reshape(n, -1)
        classes = self.classes_ if several else [self.classes_]
        sizes = [len(found) for found in classes]
        self.n_classes_ = sizes if several else sizes[0]
        self.n_outputs_ = codes.shape[1]
        if self.class_weight is not None and not self._balances_each_tree:
            weights = weigh_outputs(owner, self._class_weight(), codes, classes, weights)
        most = int(np.max(self.n_classes_))
        if self.monotonic_cst is not None and (self.n_outputs_ > 1 or most > 2):
            raise ParameterError(
                f"{owner}: monotonic_cst supports two classes and one output only."
            )
        if callable(self.criterion):
            if self.n_outputs_ > 1:
                raise ParameterError(f"{owner}: a callable criterion supports one output only.")
            check_concave(owner, self.criterion, most)
        return class_targets(owner, codes, most), weights

    @property
    def _balances_each_tree(self) -> bool:
        """Whether the class weights of a forest are applied to each tree's sample."""
        return False

    def _class_weight(self) -> Any:
        """Return the class weights for all rows; a forest may also balance each sample."""
        return "balanced" if isinstance(self.class_weight, str) else self.class_weight

    def predict_proba(self, X: Table) -> ByOutput:
        """Return the class probabilities of each row."""
        raise NotImplementedError

    def _outputs(self, p: Probabilities) -> npt.NDArray[Any]:
        """Convert probabilities (n, n_outputs, n_classes) to the most probable classes."""
        if self.n_outputs_ == 1:
            labels: npt.NDArray[Any] = self.classes_[p[:, 0].argmax(axis=1)]
            return labels
        columns = [c[p[:, o, : len(c)].argmax(axis=1)] for o, c in enumerate(self.classes_)]
        return np.column_stack(columns)

    def _by_output(self, p: Probabilities) -> ByOutput:
        """Return probabilities (n, n_classes), or a list of arrays for several outputs."""
        if self.n_outputs_ == 1:
            return p[:, 0]
        return [np.ascontiguousarray(p[:, o, :k]) for o, k in enumerate(self.n_classes_)]
