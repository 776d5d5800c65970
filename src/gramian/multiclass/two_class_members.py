"""What one-vs-rest and one-vs-one share: copies of one classifier, fitted to two classes each."""

from typing import Any, ClassVar

import numpy.typing as npt
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from gramian.base.categorical import check_named_columns
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import Learner, check_params
from gramian.base.gate import check_fit, check_new
from gramian.base.kinds import Classifier
from gramian.base.rows.taking import take
from gramian.base.types import Data, Table, Weights


class TwoClassMembers(Classifier):
    """A classifier made of copies of `estimator`; it takes the rows that this one takes."""

    parametric: ClassVar[bool | None] = None  # as the members
    model_family = None  # as the members

    estimator: Learner

    @property
    def takes_sparse(self) -> bool:  # type: ignore[override]
        """Whether the members take CSR."""
        return self._takes("sparse")

    @property
    def takes_nan(self) -> bool:  # type: ignore[override]
        """Whether the members take missing values."""
        return self._takes("allow_nan")

    @property
    def takes_categories(self) -> bool:  # type: ignore[override]
        """Whether the members take categorical columns."""
        return self._takes("categorical")

    def _takes(self, what: str) -> bool:
        tagged = hasattr(self.estimator, "__sklearn_tags__")
        return tagged and bool(getattr(get_tags(self.estimator).input_tags, what))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if hasattr(self.estimator, "__sklearn_tags__"):
            given = get_tags(self.estimator).input_tags
            tags.input_tags.pairwise = given.pairwise
            tags.input_tags.positive_only = given.positive_only
        return tags

    def _learners(self) -> list[Any]:
        return [self.estimator]

    def _rows(self, X: Table, *, reset: bool) -> Data:
        """Check rows; what only a pipeline or the members can read stays as it is."""
        if isinstance(self.estimator, Pipeline):
            if reset:
                check_params(self)
            return X
        named = check_named_columns(self, X, reset=reset) if self.takes_categories else None
        if named is not None:
            return named
        return check_fit(self, X) if reset else check_new(self, X)

    def _fit_one(self, table: Data, y: npt.NDArray[Any], weights: Weights | None) -> Any:
        """Fit a copy of the estimator to two classes."""
        name = type(self.estimator).__name__
        more = {}
        if weights is not None:
            if not has_fit_parameter(self.estimator, "sample_weight"):
                raise ParameterError(
                    f"{type(self).__name__}: the estimator {name} does not support sample_weight; "
                    "leave sample_weight out, or use an estimator that does."
                )
            more = {"sample_weight": weights}
        try:
            return clone(self.estimator).fit(table, y, **more)
        except ValueError as error:
            raise DataError(f"{type(self).__name__}: {name} refuses: {error}") from error


def rows_of(table: Data, rows: npt.NDArray[Any], *, pairwise: bool) -> Data:
    """Return some rows; of a square matrix between rows, the columns too."""
    part = take(table, rows)
    return part[:, rows] if pairwise else part
