"""Worker processes of joblib are accelerated while this process is, and report to it.

joblib sends calls to its workers as pickled batches. A batch is pickled together with whether its
sender is accelerated, and its results come back together with the worker's part of the report.
"""

import copyreg
from typing import Any

from joblib.parallel import BatchedCalls

from gramian.accelerate import records


def follow() -> None:
    """From now on, let the workers do as this process does."""
    copyreg.pickle(BatchedCalls, _sent)


def _sent(batch: Any) -> tuple[Any, ...]:
    """Reduce a batch for its way to a worker."""
    from gramian.accelerate.patching import is_active

    make, args = batch.__reduce__()[:2]
    return _received, (is_active(), make, args)


def _received(active: bool, make: Any, args: Any) -> Any:
    """Return the batch, in a worker that is accelerated if its sender is."""
    from gramian.accelerate.patching import accelerate, undo

    if active:
        accelerate()
    else:
        undo()
    return Batch(make(*args))


class Batch:
    """The calls of a batch in a worker."""

    def __init__(self, calls: Any) -> None:
        self.calls = calls

    def __call__(self) -> "Results":
        """Run them."""
        records.reset()
        results = Results(self.calls())
        results.rows = records.take()
        return results


class Results(list[Any]):
    """The results of a batch; on their way back they become a list, and the report is added."""

    rows: list[records.Row]

    def __reduce__(self) -> tuple[Any, ...]:
        return _returned, (list(self), self.rows)


def _returned(results: list[Any], rows: list[records.Row]) -> list[Any]:
    for row in rows:
        records.add(row)
    return results
