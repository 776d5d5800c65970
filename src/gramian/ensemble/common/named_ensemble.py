"""Ensembles of named learners."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.utils import Bunch

from gramian.base.conversions import parameter_array
from gramian.base.errors import ParameterError
from gramian.base.models import Model


@dataclass(frozen=True)
class IsNamedEstimators:
    """A list of pairs of a name and an estimator."""

    def accepts(self, value: object) -> bool:
        """Return whether the value is a list of such pairs; estimators may be "drop"."""
        return isinstance(value, list | tuple) and all(
            isinstance(pair, list | tuple) and len(pair) == 2 and isinstance(pair[0], str)
            for pair in value
        )

    def __str__(self) -> str:
        return "a list of pairs (name, estimator)"


NamedEstimators = Annotated[Any, IsNamedEstimators()]


if TYPE_CHECKING:
    from gramian.base.members import Members as _Mixed  # the class that the mixin extends
else:
    _Mixed = object


class NamedEnsemble(_Mixed):
    """Members are parameters: ``get_params`` and ``set_params`` reach them by name."""

    estimators: Any

    def _learners(self) -> list[Model]:
        named: list[tuple[str, Model]] = (
            self.estimators if IsNamedEstimators().accepts(self.estimators) else []
        )
        return [member for _, member in named if not _is_dropped(member)]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters; with `deep`, also those of the members, as ``name__parameter``."""
        parameters: dict[str, Any] = super().get_params(deep=False)
        if not deep or not IsNamedEstimators().accepts(self.estimators):
            return parameters
        for name, member in self.estimators:
            parameters[name] = member
            if hasattr(member, "get_params"):
                member_parameters: dict[str, Any] = member.get_params(deep=True)
                parameters.update(
                    {f"{name}__{key}": value for key, value in member_parameters.items()}
                )
        return parameters

    def set_params(self, **params: Any) -> Any:
        """Set parameters; ``name=estimator`` replaces a member."""
        if "estimators" in params:
            self.estimators = params.pop("estimators")
        names: list[str] = (
            [name for name, _ in self.estimators]
            if IsNamedEstimators().accepts(self.estimators)
            else []
        )
        replaced = {name: params.pop(name) for name in names if name in params}
        if replaced:
            self.estimators = [(n, replaced.get(n, member)) for n, member in self.estimators]
        super().set_params(**params)
        return self

    def _members(self) -> list[tuple[str, Any]]:
        """Return the members that are not dropped, after checking their names."""
        owner = type(self).__name__
        names: list[str] = [name for name, _ in self.estimators]
        if not names:
            raise ParameterError(
                f"{owner}: estimators is an empty list; pass at least one pair (name, estimator)."
            )
        if len(set(names)) < len(names):
            raise ParameterError(
                f"{owner}: the names of the estimators must be unique; got {names}."
            )
        parameter_names = set(super().get_params(deep=False))
        for name in names:
            if "__" in name or name in parameter_names:
                raise ParameterError(
                    f"{owner}: the name {name!r} must not contain '__' or equal a parameter name."
                )
        kept = [(name, member) for name, member in self.estimators if not _is_dropped(member)]
        if not kept:
            raise ParameterError(f"{owner}: all estimators are dropped; at least one is required.")
        return kept

    def _set_members(self, kept: list[tuple[str, Any]], fitted: list[Any]) -> None:
        self.estimators_ = fitted
        self._names = [name for name, _ in kept]

    @property
    def named_estimators(self) -> Bunch:
        """The members as given, by name."""
        return Bunch(**dict(self.estimators))

    @property
    def named_estimators_(self) -> Bunch:
        """The fitted members by name; dropped members are "drop"."""
        fitted = dict(zip(self._names, self.estimators_, strict=True))
        return Bunch(**{name: fitted.get(name, "drop") for name, _ in self.estimators})


def unfitted_copy(member: Model) -> Model:
    """Return an unfitted copy of a member."""
    return clone(member)


def normalized_weights(value: npt.ArrayLike | None, count: int, owner: str) -> Any:
    """Return weights >= 0 that sum to 1."""
    if value is None:
        return np.full(count, 1 / count)
    weights = parameter_array(owner, "weights", value)
    if weights.shape != (count,):
        raise ParameterError(
            f"{owner}: Number of `estimators` and weights must be equal; got {weights.size} "
            f"weights, {count} estimators"
        )
    if (weights < 0).any() or not weights.sum() > 0:
        raise ParameterError(f"{owner}: weights must be >= 0 and not all 0; got {value!r}.")
    return weights / weights.sum()


def _is_dropped(member: Model) -> bool:
    return isinstance(member, str) and member == "drop"
