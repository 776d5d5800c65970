"""Ensembles whose members are copies of one learner."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gramian.base.members import Members as _Mixed  # the class that the mixin extends
else:
    _Mixed = object


class OneLearner(_Mixed):
    """An ensemble of copies of one learner."""

    @property
    def estimator_(self) -> Any:
        """The unfitted learner that was copied."""
        if not hasattr(self, "estimators_"):
            raise AttributeError(f"{type(self).__name__}: estimator_ is available after fit.")
        (learner,) = self._learners()
        return learner
