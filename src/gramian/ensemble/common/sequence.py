"""Ensembles as sequences of their members."""

from collections.abc import Iterator
from typing import Any


class MemberSequence:
    """Makes ``len(model)``, ``model[i]`` and iteration work on ``estimators_``."""

    estimators_: Any

    def __len__(self) -> int:
        return len(self.estimators_)

    def __getitem__(self, index: Any) -> Any:
        return self.estimators_[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.estimators_)
