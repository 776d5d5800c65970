"""Parameter rules that several ensembles use."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from gramian.objectives.loss import Loss


@dataclass(frozen=True)
class IsLoss:
    """A custom loss."""

    def accepts(self, value: object) -> bool:
        """Return whether it is a valid custom loss."""
        return isinstance(value, Loss) or (callable(value) and not isinstance(value, type))

    def __str__(self) -> str:
        return "a function that returns gradient and hessian, or a loss of gramian.objectives"


@dataclass(frozen=True)
class IsSets:
    """A sequence of sets of feature indices; the entries are checked when they are used."""

    def accepts(self, value: object) -> bool:
        """Return whether it is a sequence of collections."""
        many = isinstance(value, Sequence) and not isinstance(value, str)
        return many and all(hasattr(s, "__iter__") for s in value)  # type: ignore[attr-defined]

    def __str__(self) -> str:
        return "a sequence of sets of feature indices"


CustomLoss = Annotated[Any, IsLoss()]
Sets = Annotated[Any, IsSets()]
