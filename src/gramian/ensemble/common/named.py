"""Ensembles of different learners, each with a name."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import Bunch

from gramian.base.conversions import parameter_array
from gramian.base.errors import ParameterError


@dataclass(frozen=True)
class IsNamed:
    """A list of pairs of a name and an estimator."""

    def accepts(self, value: object) -> bool:
        """Return whether it is such a list; the estimators may be "drop"."""
        return isinstance(value, list | tuple) and all(
            isinstance(pair, list | tuple) and len(pair) == 2 and isinstance(pair[0], str)
            for pair in value
        )

    def __str__(self) -> str:
        return "a list of pairs (name, estimator)"


Named = Annotated[Any, IsNamed()]


if TYPE_CHECKING:
    from gramian.base.members import Members as _Mixed  # what the mixin is mixed into
else:
    _Mixed = object


class NamedEnsemble(_Mixed):
    """Members are parameters: ``get_params`` and ``set_params`` reach them by name."""

    estimators: Any

    def _learners(self) -> list[Any]:
        named = self.estimators if IsNamed().accepts(self.estimators) else []
        return [member for _, member in named if not _is_dropped(member)]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters; with `deep`, those of the members too, as ``name__parameter``."""
        found: dict[str, Any] = super().get_params(deep=False)
        if not deep or not IsNamed().accepts(self.estimators):
            return found
        for name, member in self.estimators:
            found[name] = member
            if hasattr(member, "get_params"):
                inner = member.get_params(deep=True)
                found.update({f"{name}__{key}": value for key, value in inner.items()})
        return found

    def set_params(self, **given: Any) -> Any:
        """Set parameters; ``name=estimator`` replaces a member."""
        if "estimators" in given:
            self.estimators = given.pop("estimators")
        names = [name for name, _ in self.estimators] if IsNamed().accepts(self.estimators) else []
        replaced = {name: given.pop(name) for name in names if name in given}
        if replaced:
            self.estimators = [(n, replaced.get(n, member)) for n, member in self.estimators]
        super().set_params(**given)
        return self

    def _members(self) -> list[tuple[str, Any]]:
        """Return the members that are not dropped, after checking their names."""
        owner = type(self).__name__
        names = [name for name, _ in self.estimators]
        if not names:
            raise ParameterError(
                f"{owner}: estimators is an empty list; give at least one pair (name, estimator)."
            )
        if len(set(names)) < len(names):
            raise ParameterError(f"{owner}: names of estimators must differ; got {names}.")
        own = set(super().get_params(deep=False))
        for name in names:
            if "__" in name or name in own:
                raise ParameterError(
                    f"{owner}: the name {name!r} must not hold '__' nor be a parameter's."
                )
        kept = [(name, member) for name, member in self.estimators if not _is_dropped(member)]
        if not kept:
            raise ParameterError(f"{owner}: all estimators are dropped; at least one is required.")
        return kept

    def _remember(self, kept: list[tuple[str, Any]], fitted: list[Any]) -> None:
        self.estimators_ = fitted
        self._names = [name for name, _ in kept]

    @property
    def named_estimators(self) -> Bunch:
        """The members as given, by name."""
        return Bunch(**dict(self.estimators))

    @property
    def named_estimators_(self) -> Bunch:
        """The fitted members by name, and "drop" for those left out."""
        fitted = dict(zip(self._names, self.estimators_, strict=True))
        return Bunch(**{name: fitted.get(name, "drop") for name, _ in self.estimators})


def fresh(member: Any) -> Any:
    """Return an unfitted copy of a member."""
    return clone(member)


def weights_of(given: Any, count: int, owner: str) -> Any:
    """Return weights >= 0 that sum to 1."""
    if given is None:
        return np.full(count, 1 / count)
    weights = parameter_array(owner, "weights", given)
    if weights.shape != (count,):
        raise ParameterError(
            f"{owner}: Number of `estimators` and weights must be equal; got {weights.size} "
            f"weights, {count} estimators"
        )
    if (weights < 0).any() or not weights.sum() > 0:
        raise ParameterError(f"{owner}: weights must be >= 0 and not all 0; got {given!r}.")
    return weights / weights.sum()


def _is_dropped(member: Any) -> bool:
    return isinstance(member, str) and member == "drop"
