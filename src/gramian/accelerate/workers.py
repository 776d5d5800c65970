"""Worker processes of joblib are accelerated while this process is."""

import copyreg
from typing import Any

from joblib.parallel import BatchedCalls


def follow() -> None:
    """From now on, let every batch that is sent to a worker say whether we are accelerated."""
    copyreg.pickle(BatchedCalls, _reduce)  # type: ignore[arg-type]


def _reduce(batch: Any) -> tuple[Any, ...]:
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
    return make(*args)
