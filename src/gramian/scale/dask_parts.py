"""Parts of a table that Dask computes: steps over the parts, and a tree of merges.

A pass has m steps and about m / 15 merges, each of at most 16 results in the order of the rows, so
the grouping of the sums depends only on m. For rows in Dask collections there is one task per part,
on the worker that has it. Parts of files are read by tasks of several parts (`batches.py`), because
each task costs the scheduler and the worker milliseconds. Each task receives the step with the
state of the fit, and returns one summary per part. Dask recomputes the results of a lost worker.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import partial, reduce
from itertools import count
from typing import Any, TypeVar

import numpy as np

import gramian
from gramian.base.errors import DataError, need
from gramian.base.rows.parts import LocalObject, WorkerObjects, appended
from gramian.scale.batches import batches
from gramian.scale.table_part import TablePart
from gramian.scale.worker_objects import ClusterError, DaskObjects

S = TypeVar("S")

_FAN_IN = 16
_numbers = count()


class DaskParts:
    """Rows in parts that Dask computes.

    Parameters
    ----------
    parts
        One delayed chunk, ``(X, y, sample_weight)``, per part; or a `TablePart` or a function that
        each step calls to read it, so that the rows never leave the worker.
    sizes
        The number of rows of each part, if known.
    client
        A ``distributed.Client``; None: Dask's configured scheduler, threads by default.
    """

    def __init__(
        self, parts: Sequence[Any], sizes: Sequence[int] | None = None, client: Any = None
    ) -> None:
        if not parts:
            raise DataError("scale.fit: X must have at least one partition with rows; got none.")
        self.parts = list(parts)
        self.client = client
        self._sizes = None if sizes is None else [int(n) for n in sizes]
        self._known: tuple[int, Any] = 0, ()  # number of first rows already read, and the rows
        if client is not None:
            check_versions(client)

    @property
    def n_parts(self) -> int:
        """Number of parts."""
        return len(self.parts)

    def first(self, rows: int) -> "DaskParts | None":
        """Return the first parts that have at least `rows` rows; None if sizes are unknown."""
        if self._sizes is None:
            return None
        few = int(np.searchsorted(np.cumsum(self._sizes), rows)) + 1
        first = copy(self)
        first.parts, first._sizes = self.parts[:few], self._sizes[:few]
        return first

    def head(self, rows: int) -> Any:
        """Return the first rows of the first part that has any."""
        if rows > self._known[0]:
            self._known = rows, self._computed_head(rows)
        return tuple(None if part is None else _rows(part, slice(rows)) for part in self._known[1])

    def _computed_head(self, rows: int) -> Any:
        dask = need("dask", extra="dask")
        for number, part in enumerate(self.parts):
            if self._sizes is not None and self._sizes[number] == 0:
                continue
            found = self._compute(dask.delayed(_take, pure=False)(part, 0, rows))
            if np.shape(found[0])[0]:
                return found
        raise DataError("scale.fit: X must have at least one row; all partitions are empty.")

    def sizes(self) -> list[int]:
        """Return the number of rows of each part; unknown sizes are counted in one pass."""
        if self._sizes is None:
            self._sizes = self.total(_size, appended)
        return self._sizes

    @property
    def known_sizes(self) -> list[int] | None:
        """Number of rows of each part; None if a pass would have to count them."""
        return self._sizes

    def take(self, places: list[tuple[int, int, int]]) -> list[Any]:
        """Return ranges of rows, each given as (part, first row, last row + 1)."""
        dask = need("dask", extra="dask")
        take = dask.delayed(_take, pure=False)
        tasks = [take(self.parts[part], begin, end) for part, begin, end in places]
        found: list[Any] = self._compute(dask.delayed(list, pure=False)(tasks))
        return found

    def n_rows(self) -> int:
        """Return the number of rows."""
        return sum(self.sizes())

    def _starts(self) -> list[int]:
        return [0, *np.cumsum(self.sizes())[:-1].tolist()]

    def total(
        self,
        step: Callable[[list[Any], int, int], S],
        merge: Callable[[S, S], S],
        *,
        numbered: bool = False,
    ) -> S:
        """Run a step over every part and merge the results in the order of the rows."""
        dask = need("dask", extra="dask")
        starts = self._starts() if numbered else [0] * len(self.parts)
        if self._read_by_workers:
            return self._total_of_batches(step, merge, starts)
        run = dask.delayed(_run, pure=False)
        name = f"{_step_name(step)}-{next(_numbers)}"
        level: list[Any] = [
            run(step, part, j, start, dask_key_name=f"gramian-{name}-part-{j}")
            for j, (part, start) in enumerate(zip(self.parts, starts, strict=True))
        ]
        merged = dask.delayed(_merge, pure=False)
        while len(level) > 1:
            groups = [level[j : j + _FAN_IN] for j in range(0, len(level), _FAN_IN)]
            level = [merged(merge, group) for group in groups]
        found: S = self._compute(level[0])
        return found

    @property
    def _read_by_workers(self) -> bool:
        """Whether parts are read from files, so that any worker may take any part."""
        is_collection = need("dask", extra="dask").is_dask_collection
        return self.client is not None and not any(is_collection(part) for part in self.parts)

    def _batches(
        self, step: Callable[..., Any], starts: list[int]
    ) -> tuple[list[range], list[Any]]:
        """Run a step over batches of parts; return the batches and futures of their results."""
        cut = batches(len(self.parts), sum(self.client.nthreads().values()), _FAN_IN)
        name = f"gramian-{_step_name(step)}-{next(_numbers)}"
        width = len(str(len(self.parts)))  # keys sorted as the parts: large batches first
        numbered = [[(self.parts[j], j, starts[j]) for j in numbers] for numbers in cut]
        keys = [f"{name}-part-{b[0]:0{width}}-to-{b[-1]:0{width}}" for b in cut]
        return cut, self.client.map(partial(_run_batch, step), numbered, key=keys, pure=False)

    def _total_of_batches(
        self, step: Callable[..., S], merge: Callable[[S, S], S], starts: list[int]
    ) -> S:
        """Merge groups of 16 results on the workers until at most 16 are left to merge here."""
        cut, level = self._batches(step, starts)
        futures = list(level)
        if len(self.parts) > _FAN_IN:
            groups: dict[int, list[Any]] = {}
            for numbers, future in zip(cut, level, strict=True):
                groups.setdefault(numbers[0] // _FAN_IN, []).append(future)
            merged = partial(self.client.submit, _merge_lists, merge, pure=False)
            level = [merged(group) for group in groups.values()]
            futures += level
            while len(level) > _FAN_IN:
                level = [merged(level[j : j + _FAN_IN]) for j in range(0, len(level), _FAN_IN)]
                futures += level
        try:
            with self._explained(futures):
                found: S = _merge_lists(merge, self.client.gather(level))[0]
                return found
        finally:
            for future in futures:
                future.release()

    def fold(self, step: Callable[[list[Any], int, int, S], S], state: S) -> S:
        """Run a step over the parts in order, each with the state the previous one returned."""
        dask = need("dask", extra="dask")
        run = dask.delayed(_run_with, pure=False)
        name = f"{_step_name(step)}-{next(_numbers)}"
        task: Any = dask.delayed(state, traverse=False, pure=False)
        for j, (part, start) in enumerate(zip(self.parts, self._starts(), strict=True)):
            task = run(step, part, j, start, task, dask_key_name=f"gramian-{name}-part-{j}")
        found: S = self._compute(task)
        return found

    def keep_on_workers(
        self, step: Callable[[list[Any], int, int], Any], gather: Callable[[list[Any]], Any]
    ) -> WorkerObjects:
        """Run a step over every part, and keep the results on the workers that have them."""
        dask = need("dask", extra="dask")
        if self._read_by_workers:
            _, futures = self._batches(step, [0] * len(self.parts))
        else:
            run = dask.delayed(_run_listed, pure=False)
            name = f"{_step_name(step)}-{next(_numbers)}"
            tasks = [
                run(step, part, j, 0, dask_key_name=f"gramian-{name}-part-{j}")
                for j, part in enumerate(self.parts)
            ]
            if self.client is None:
                return LocalObject(gather([one for found in dask.compute(*tasks) for one in found]))
            futures = self.client.compute(tasks)
        with self._explained(futures):
            for future in futures:
                if (error := future.exception()) is not None:
                    raise error
        return DaskObjects(self.client, futures, gather)

    def _compute(self, task: Any) -> Any:
        if self.client is None:
            return task.compute()
        future = self.client.compute(task)
        try:
            with self._explained([future]):
                return future.result()
        finally:
            future.release()

    @contextmanager
    def _explained(self, futures: list[Any]) -> Iterator[None]:
        """Cancel the work on Ctrl-C, and explain Dask's errors."""
        try:
            yield
        except KeyboardInterrupt:
            for future in futures:
                future.cancel(force=True)
            raise
        except Exception as error:
            explanation = self._explanation(error)
            if explanation is None:
                raise
            raise ClusterError(f"scale.fit: {explanation}") from error

    def _explanation(self, error: Exception) -> str | None:
        """Return an explanation of an error of Dask; None for other errors."""
        kind = type(error).__name__
        if kind == "KilledWorker":
            part = re.search(r"-part-(\d+)(?:-to-(\d+))?", str(error))
            what = "a merged sum"
            if part:
                first, last = int(part[1]), int(part[2] or part[1])
                some = f"part {first}" if first == last else f"parts {first} to {last}"
                what = f"{some} of {len(self.parts)}"
            return (
                f"every worker that tried {what} died; it may not fit into their memory. Use "
                "smaller partitions, or workers with more memory, and fit again."
            )
        gone = (
            "CancelledError",
            "FutureCancelledError",
            "CommClosedError",
            "FuturesCancelledError",
        )
        if kind in gone or isinstance(error, TimeoutError):
            address = getattr(getattr(self.client, "scheduler", None), "address", "the cluster")
            return (
                f"the scheduler at {address} restarted, closed or dropped the work; the sums of "
                "this pass and persisted data are lost, and the estimator is unchanged. Connect a "
                f"new client, and fit again. ({kind})"
            )
        return None


def check_versions(client: Any) -> None:
    """Raise unless every worker has this version of gramian."""
    ours = gramian.__version__
    found = client.run(eval, "__import__('gramian').__version__", on_error="return")
    for worker, theirs in found.items():
        if theirs != ours:
            what = f"gramian {theirs}" if isinstance(theirs, str) else f"no gramian ({theirs})"
            raise ClusterError(
                f"scale.fit: the worker at {worker} has {what}, and this process has gramian "
                f"{ours}; install the same version everywhere."
            )


def _run(step: Callable[[list[Any], int, int], S], chunk: Any, part: int, start: int) -> S:
    return step(_chunks(chunk), part, start)


def _run_listed(
    step: Callable[[list[Any], int, int], S], chunk: Any, part: int, start: int
) -> list[S]:
    return [_run(step, chunk, part, start)]


def _run_batch(
    step: Callable[[list[Any], int, int], S], batch: list[tuple[Any, int, int]]
) -> list[S]:
    return [_run(step, *part) for part in batch]


def _chunks(part: Any) -> Any:
    """Return the chunks of a part; a file is read chunk by chunk, when the step needs it."""
    return part.once() if isinstance(part, TablePart) else [_read(part)]


def _read(chunk: Any) -> Any:
    return chunk() if callable(chunk) else chunk


def _run_with(
    step: Callable[[list[Any], int, int, S], S], chunk: Any, part: int, start: int, state: S
) -> S:
    return step(_chunks(chunk), part, start, state)


def _merge(merge: Callable[[S, S], S], results: list[S]) -> S:
    return reduce(merge, results)


def _merge_lists(merge: Callable[[S, S], S], lists: list[list[S]]) -> list[S]:
    """Merge the results of several lists in order; return a list of the one result."""
    return [reduce(merge, (one for found in lists for one in found))]


def _size(chunks: list[Any], *_: int) -> list[int]:
    return [int(np.shape(chunk[0])[0]) for chunk in chunks]


def _take(chunk: Any, begin: int, end: int) -> Any:
    if isinstance(chunk, TablePart):
        return chunk.rows(begin, end)
    return tuple(None if part is None else _rows(part, slice(begin, end)) for part in _read(chunk))


def _rows(table: Any, rows: slice) -> Any:
    return table.iloc[rows] if hasattr(table, "iloc") else table[rows]


def _step_name(step: Any) -> str:
    """Return the name of the function within a step, for the cluster's dashboard."""
    while hasattr(step, "func"):
        inner = [a for a in step.args if callable(a)]
        step = inner[0] if inner else step.func
    return str(getattr(step, "__name__", type(step).__name__)).strip("_")
