"""Ensembles whose members are copies of one learner."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gramian.base.members import Members as _Mixed  # what the mixin is mixed into
else:
    _Mixed = object


class OneLearner(_Mixed):
    """An ensemble of copies of one learner."""

    @property
    def estimator_(self) -> Any:
        """The learner of which the members are copies."""
        if not hasattr(self, "estimators_"):
            raise AttributeError(f"{type(self).__name__}: estimator_ exists once it is fitted.")
        (learner,) = self._learners()
        return learner
