"""Estimators composed of others, which accept what their members accept."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from sklearn.utils import get_tags

from gramian.base.kinds import Estimator


class Members(Estimator):
    """An estimator that accepts the input that all of its learners accept."""

    parametric: ClassVar[bool | None] = None  # as in the learners

    @abstractmethod
    def _learners(self) -> Sequence[Any]:
        """Return the learners known so far."""

    @property
    def takes_nan(self) -> bool:  # type: ignore[override]
        """Whether missing values are allowed: if all learners support them."""
        return self._all_take("allow_nan")

    @property
    def takes_sparse(self) -> bool:  # type: ignore[override]
        """Whether CSR is allowed: if all learners support it."""
        return self._all_take("sparse")

    @property
    def takes_categories(self) -> bool:  # type: ignore[override]
        """Whether all learners support categorical columns."""
        return self._all_take("categorical")

    def _all_take(self, what: str) -> bool:
        learners = self._learners()
        return len(learners) > 0 and all(takes(learner, what) for learner in learners)


def takes(learner: Any, what: str) -> bool:
    """Return whether a learner's tags declare that it accepts such input."""
    tagged = hasattr(learner, "__sklearn_tags__")
    return tagged and bool(getattr(get_tags(learner).input_tags, what))
