"""The base class of column selectors."""

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from gramian.base.gate import check_new
from gramian.base.kinds import Transformer
from gramian.base.types import Matrix


class ColumnSelector(SelectorMixin, Transformer):
    """Keeps the columns of ``support_``."""

    support_: npt.NDArray[np.bool_]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def transform(self, X: npt.ArrayLike) -> Matrix:
        """Return the selected columns."""
        return np.ascontiguousarray(check_new(self, X)[:, self._get_support_mask()])

    def _get_support_mask(self) -> npt.NDArray[np.bool_]:
        check_is_fitted(self)
        return np.asarray(self.support_)
