"""Progress reports and the time budget of a study."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic


@dataclass(frozen=True)
class Step:
    """One step of a study.

    Attributes
    ----------
    stage
        ``"tune"``, ``"compare"``, ``"explain"``.
    done, total
        Units of work done and planned in the whole study.
    text
        Short description of what was just done.
    """

    stage: str
    done: int
    total: int
    text: str


Watch = Callable[[Step], None]


class Clock:
    """Time spent, in this run and in the runs it resumes, against the budget."""

    def __init__(self, budget: float | None, before: float = 0.0) -> None:
        self._budget, self._before, self._start = budget, before, monotonic()

    @property
    def seconds(self) -> float:
        """Seconds spent."""
        return self._before + monotonic() - self._start

    def is_over(self, share: float = 1.0) -> bool:
        """Return whether a fraction of the budget is spent."""
        return self._budget is not None and self.seconds >= share * self._budget


class Counter:
    """Counts units of work and reports each one."""

    def __init__(self, watch: Watch | None, total: int) -> None:
        self._watch, self.total, self.done = watch, total, 0

    def step(self, stage: str, text: str) -> None:
        """Count one unit."""
        self.done += 1
        if self._watch is not None:
            self._watch(Step(stage, min(self.done, self.total), self.total, text))
