"""What one-vs-rest and one-vs-one share: copies of one classifier, fitted to two classes each."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from inspect import signature
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

from gramian.base.categorical import check_named_columns
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import Learner, check_params
from gramian.base.gate import check_fit, check_new
from gramian.base.kinds import Classifier, Tags, input_tag
from gramian.base.members import Members
from gramian.base.routing import is_routing, routed
from gramian.base.rows.taking import take
from gramian.base.types import Data, Table, Weights


class TwoClassMembers(Members, Classifier):
    """A classifier made of copies of `estimator`; it takes the rows that this one takes."""

    tags: ClassVar[Tags] = {
        "input_tags.pairwise": lambda self: input_tag(self.estimator, "pairwise"),
        "input_tags.positive_only": lambda self: input_tag(self.estimator, "positive_only"),
    }
    model_family = None  # as the members

    estimator: Learner

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

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which arguments of `fit` and `partial_fit` the members take."""
        passed = MethodMapping().add(caller="fit", callee="fit")
        passed = passed.add(caller="partial_fit", callee="partial_fit")
        return MetadataRouter(owner=self).add(estimator=self.estimator, method_mapping=passed)

    def _member_arguments(
        self, method: str, weights: Weights | None, more: dict[str, Any]
    ) -> dict[str, Any]:
        """Return what the members' `fit` or `partial_fit` is to be given beside rows and labels."""
        name, given = type(self.estimator).__name__, dict(more)
        if weights is not None:
            given["sample_weight"] = weights
        if more or is_routing():
            return dict(routed(self, method, given if is_routing() else more).estimator[method])
        if given and "sample_weight" not in signature(getattr(self.estimator, method)).parameters:
            raise ParameterError(
                f"{type(self).__name__}: the estimator {name} does not support sample_weight; "
                "leave sample_weight out, or use an estimator that does."
            )
        return given

    def _fit_one(self, table: Data, y: npt.NDArray[Any], arguments: dict[str, Any]) -> Any:
        """Fit a copy of the estimator to two classes."""
        with self._refusals():
            return clone(self.estimator).fit(table, y, **arguments)

    def _updated(
        self, member: Any, table: Data, y: npt.NDArray[Any], arguments: dict[str, Any]
    ) -> Any:
        """Return a copy of a member whose fit goes on with more rows of two classes."""
        copy = deepcopy(member)  # other libraries change the arrays of the earlier fit
        with self._refusals():
            copy.partial_fit(table, y, classes=np.array([0, 1]), **arguments)
        return copy

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except ValueError as error:
            name = type(self.estimator).__name__
            raise DataError(f"{type(self).__name__}: {name} refuses: {error}") from error


def has_partial_fit(estimator: TwoClassMembers) -> bool:
    """Return whether the members can be fitted in parts."""
    return hasattr(estimator.estimator, "partial_fit")


def rows_of(table: Data, rows: npt.NDArray[Any], *, pairwise: bool) -> Data:
    """Return some rows; of a square matrix between rows, the columns too."""
    part = take(table, rows)
    return part[:, rows] if pairwise else part
