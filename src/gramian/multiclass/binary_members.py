"""Base class of one-vs-rest and one-vs-one: copies of a classifier, fitted to two classes each."""

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

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import Learner, check_params
from gramian.base.inputs.categorical import check_named_columns
from gramian.base.inputs.gate import check_fit, check_new
from gramian.base.kinds import Classifier, Tags, input_tag
from gramian.base.members import Members
from gramian.base.routing import is_routing, routed
from gramian.base.rows.taking import take
from gramian.base.types import Data, Table, Weights


class BinaryMembers(Members, Classifier):
    """Base class of classifiers built from copies of `estimator`; supports the same input."""

    tags: ClassVar[Tags] = {
        "input_tags.pairwise": lambda self: input_tag(self.estimator, "pairwise"),
        "input_tags.positive_only": lambda self: input_tag(self.estimator, "positive_only"),
    }
    model_family = None  # as the members

    estimator: Learner

    def _learners(self) -> list[Any]:
        return [self.estimator]

    def _check_rows(self, X: Table, *, reset: bool) -> Data:
        """Check rows; input that only a pipeline or the members can read is unchanged."""
        if isinstance(self.estimator, Pipeline):
            if reset:
                check_params(self)
            return X
        named = check_named_columns(self, X, reset=reset) if self.takes_categories else None
        if named is not None:
            return named
        return check_fit(self, X) if reset else check_new(self, X)

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which arguments of `fit` and `partial_fit` go to the members."""
        passed = MethodMapping().add(caller="fit", callee="fit")
        passed = passed.add(caller="partial_fit", callee="partial_fit")
        return MetadataRouter(owner=self).add(estimator=self.estimator, method_mapping=passed)

    def _member_arguments(
        self, method: str, weights: Weights | None, more: dict[str, Any]
    ) -> dict[str, Any]:
        """Return the keyword arguments for `fit` or `partial_fit` of the members."""
        name, arguments = type(self.estimator).__name__, dict(more)
        if weights is not None:
            arguments["sample_weight"] = weights
        if more or is_routing():
            return dict(routed(self, method, arguments if is_routing() else more).estimator[method])
        if (
            arguments
            and "sample_weight" not in signature(getattr(self.estimator, method)).parameters
        ):
            raise ParameterError(
                f"{type(self).__name__}: the estimator {name} does not support sample_weight; "
                "omit sample_weight, or use an estimator that does."
            )
        return arguments

    def _fit_member(self, table: Data, y: npt.NDArray[Any], arguments: dict[str, Any]) -> Any:
        """Fit a copy of the estimator to two classes."""
        with self._translate_errors():
            return clone(self.estimator).fit(table, y, **arguments)

    def _continue_fit(
        self, member: Any, table: Data, y: npt.NDArray[Any], arguments: dict[str, Any]
    ) -> Any:
        """Return a copy of a member, updated with more rows of two classes."""
        copy = deepcopy(member)  # other libraries modify the arrays of the earlier fit
        with self._translate_errors():
            copy.partial_fit(table, y, classes=np.array([0, 1]), **arguments)
        return copy

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except ValueError as error:
            name = type(self.estimator).__name__
            raise DataError(f"{type(self).__name__}: {name} failed: {error}") from error


def has_partial_fit(estimator: BinaryMembers) -> bool:
    """Return whether the members have `partial_fit`."""
    return hasattr(estimator.estimator, "partial_fit")


def select_rows(table: Data, rows: npt.NDArray[Any], *, pairwise: bool) -> Data:
    """Return the selected rows and, for a pairwise matrix, the same columns."""
    part = take(table, rows)
    return part[:, rows] if pairwise else part
