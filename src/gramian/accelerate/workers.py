"""Accelerate joblib's worker processes, and include their calls in the report.

joblib sends calls to its workers as pickled batches. A batch is pickled together with whether its
sender is accelerated, and its results come back together with the worker's part of the report.
"""

import copyreg
from typing import Any

from joblib.parallel import BatchedCalls

from gramian.accelerate import records


def accelerate_workers() -> None:
    """Accelerate workers whenever this process is accelerated."""
    copyreg.pickle(BatchedCalls, _reduce_batch)


def _reduce_batch(batch: Any) -> tuple[Any, ...]:
    """Reduce a batch for pickling."""
    from gramian.accelerate.patching import is_active

    make, args = batch.__reduce__()[:2]
    return _rebuild_batch, (is_active(), make, args)


def _rebuild_batch(active: bool, make: Any, args: Any) -> Any:
    """Rebuild the batch in a worker, accelerated if the sender is."""
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
        """Run the calls."""
        records.reset()
        results = Results(self.calls())
        results.rows = records.take_rows()
        return results


class Results(list[Any]):
    """The results of a batch; unpickling returns a list and adds the rows to the report."""

    rows: list[records.Row]

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_results, (list(self), self.rows)


def _rebuild_results(results: list[Any], rows: list[records.Row]) -> list[Any]:
    for row in rows:
        records.add(row)
    return results
