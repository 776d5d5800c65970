"""Classes and their shares: what classifiers made of trees have in common."""

from typing import Annotated, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.fields import Instance
from gramian.base.kinds import Classifier
from gramian.base.targets import check_label_columns, check_labels
from gramian.base.types import Matrix, Weights
from gramian.base.weights import check_weights, unit_weights, weigh_outputs
from gramian.tree.growth.grow import Targets, check_concave, class_targets

Shares: TypeAlias = npt.NDArray[np.float64]
Listed = Annotated[list[Any], Instance((list,), "a list")]


class ClassShares(Classifier):
    """Predicts from the shares of the classes in leaves, of one output or several."""

    criterion: Any
    class_weight: Any
    monotonic_cst: Any

    classes_: Any
    n_classes_: Any
    n_outputs_: int

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        return tags

    def _check_classes(
        self,
        table: Matrix,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None,
        *,
        by_class: bool = True,
    ) -> tuple[Targets, Weights | None]:
        """Return class codes, and the weights of the rows, with those of the classes if asked."""
        owner = type(self).__name__
        n = len(table)
        weights = unit_weights(check_weights(self, sample_weight, n))
        given = np.asarray(y)
        if given.ndim == 2 and given.shape[1] > 1:
            codes, classes = check_label_columns(self, y, n)
            self.classes_ = classes
            self.n_classes_ = [len(c) for c in classes]
        else:
            flat, found = check_labels(self, y, n)
            codes = flat[:, np.newaxis]
            self.classes_, self.n_classes_, classes = found, len(found), [found]
        self.n_outputs_ = codes.shape[1]
        if self.class_weight is not None and by_class:
            weights = weigh_outputs(owner, self._class_weight(), codes, classes, weights)
        most = int(np.max(self.n_classes_))
        if self.monotonic_cst is not None and (self.n_outputs_ > 1 or most > 2):
            raise ParameterError(
                f"{owner}: monotonic_cst is for two classes and one output; leave it out."
            )
        if callable(self.criterion):
            if self.n_outputs_ > 1:
                raise ParameterError(f"{owner}: a function as criterion is for one output only.")
            check_concave(owner, self.criterion, most)
        return class_targets(owner, codes, most), weights

    def _class_weight(self) -> Any:
        """Return the weights of the classes among all rows; a forest may also balance samples."""
        return "balanced" if isinstance(self.class_weight, str) else self.class_weight

    def _labels(self, shares: Shares) -> npt.NDArray[Any]:
        """Return the class with the greatest of shares (n, n_outputs, n_classes)."""
        if self.n_outputs_ == 1:
            labels: npt.NDArray[Any] = self.classes_[shares[:, 0].argmax(axis=1)]
            return labels
        columns = [c[shares[:, o, : len(c)].argmax(axis=1)] for o, c in enumerate(self.classes_)]
        return np.column_stack(columns)

    def _by_output(self, shares: Shares) -> Shares | list[Shares]:
        """Return shares (n, n_classes), or a list of them for several outputs."""
        if self.n_outputs_ == 1:
            return shares[:, 0]
        return [np.ascontiguousarray(shares[:, o, :k]) for o, k in enumerate(self.n_classes_)]


def logarithms(shares: Shares | list[Shares]) -> Shares | list[Shares]:
    """Return the logarithms of shares; that of 0 is minus infinity."""
    with np.errstate(divide="ignore"):
        if isinstance(shares, list):
            return [np.log(p) for p in shares]
        logs: Shares = np.log(shares)
        return logs
