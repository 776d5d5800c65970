"""Objects kept on the workers of a cluster, for fits that would read the rows many times.

Tasks, on whichever workers Dask chooses, compute the data to keep for each part; then one actor per
worker takes over the results there. A call of all actors takes two milliseconds directly from this
process and four through the scheduler; a pass of tasks takes tens. For fits with many calls the
workers are connected with one another (`worker_connections.py`), and the first one coordinates
them. If that is impossible, or if Dask encrypts its messages, this process coordinates them. An
actor dies with its worker.
"""

import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial, reduce
from typing import Any

from gramian.base.rows.parts import ObjectGroup, RowsLostError, caller
from gramian.scale.worker_connections import Listener, WorkerTree, address_toward, connect

_WAIT = 2.0  # seconds to wait for an answer before checking that the worker is alive


class ClusterError(RuntimeError):
    """The cluster lost data that a fit needs."""


class WorkerLostError(ClusterError, RowsLostError):
    """A worker died with the rows it kept."""


class DaskObjects:
    """One object per worker that has parts."""

    def __init__(self, client: Any, parts: list[Any], gather: Callable[[list[Any]], Any]) -> None:
        self.client = client
        where: dict[str, list[Any]] = {}
        holders = client.who_has(parts)
        for part in parts:
            workers = holders.get(part.key, ())
            if not workers:
                raise WorkerLostError("scale.fit: a worker died before the fit could use its rows.")
            where.setdefault(sorted(workers)[0], []).append(part)
        self.workers = list(where)
        self.futures = [
            client.submit(_WorkerActor, gather, kept, workers=[worker], actor=True, pure=False)
            for worker, kept in where.items()
        ]
        self.actors = [
            self._answer(worker, future)
            for worker, future in zip(self.workers, self.futures, strict=True)
        ]
        for part in parts:  # the actors have copies now
            part.release()
        self._before = client.direct_to_workers
        client.direct_to_workers = self._before or self._reached()

    def total(self, method: str, merge: Callable[[Any, Any], Any], *arguments: Any) -> Any:
        """Call a method of all objects in parallel and merge the results."""
        return reduce(merge, self._each("call", method, *arguments))

    def start_coordinator(self, make: Callable[[ObjectGroup], Any]) -> Callable[..., Any]:
        """Create the coordinator on the first worker, or here if workers cannot be connected."""
        if not self._connect_tree():
            return caller(make(self))
        self._call_first("start_coordinator", make)
        return partial(self._call_first, "call_coordinator")

    def _call_first(self, method: str, *arguments: Any) -> Any:
        """Call the first worker, which reports lost workers."""
        try:
            return self._answer(self.workers[0], self._begin(0, method, *arguments))
        except WorkerLostError:
            raise
        except RowsLostError:
            gone = [worker for worker in self.workers if not self._has(worker)]
            raise _lost(gone[0] if gone else f"one of {', '.join(self.workers)}") from None

    def _connect_tree(self) -> bool:
        """Connect the workers as a tree; return whether that was possible."""
        if not all(worker.startswith("tcp://") for worker in self.workers):
            return False
        secret, n = secrets.token_bytes(32), len(self.workers)
        hosts = [worker.removeprefix("tcp://").rpartition(":")[0] for worker in self.workers]
        toward = self.client.scheduler.address.removeprefix("tcp://")
        calls = [
            self._begin(at, "listen", toward, hosts[at].strip("[]"), secret) for at in range(n)
        ]
        ports = [self._answer(*pair) for pair in zip(self.workers, calls, strict=True)]
        if not all(ports):
            return False
        calls = []
        for at in range(n):
            below = [ports[child] for child in (2 * at + 1, 2 * at + 2) if child < n]
            calls.append(self._begin(at, "connect_tree", below, secret, at > 0))
        connected = [self._answer(*pair) for pair in zip(self.workers, calls, strict=True)]
        return all(connected)

    def _each(self, method: str, *arguments: Any) -> list[Any]:
        calls = [self._begin(at, method, *arguments) for at in range(len(self.actors))]
        return [self._answer(*pair) for pair in zip(self.workers, calls, strict=True)]

    def close(self) -> None:
        """Delete the objects at once: Dask keeps an actor while anything refers to it."""
        for at, worker in enumerate(self.workers):
            with suppress(WorkerLostError):
                self._answer(worker, self._begin(at, "drop"))
        with suppress(Exception):  # of a cluster that is gone
            self.client.cancel(self.futures, force=True)
        self.client.direct_to_workers = self._before
        self.workers, self.actors, self.futures = [], [], []

    def _reached(self) -> bool:
        """Return whether this process can reach every worker directly."""
        self.client.direct_to_workers = True
        try:
            for call in [actor.answer() for actor in self.actors]:
                call.result(timeout=_WAIT)
        except OSError:  # unreachable or too slow
            return False
        return True

    def _begin(self, at: int, method: str, *arguments: Any) -> Any:
        """Start a call of one actor; raise if Dask knows that its worker is gone."""
        try:
            return getattr(self.actors[at], method)(*arguments)
        except RuntimeError as error:
            if "Actor was lost" not in str(error):
                raise
            raise _lost(self.workers[at]) from None

    def _answer(self, worker: str, call: Any) -> Any:
        """Return the answer of a worker; while waiting, check that the worker is alive."""
        while True:
            try:
                return call.result(timeout=_WAIT)
            except TimeoutError:
                if self._has(worker):
                    continue
            except (OSError, ValueError, RuntimeError) as error:
                if not isinstance(error, OSError) and "Actor was lost" not in str(error):
                    raise
            except Exception as error:
                if type(error).__name__ not in ("FutureCancelledError", "CancelledError"):
                    raise
            raise _lost(worker)

    def _has(self, worker: str) -> bool:
        return worker in self.client.scheduler_info(n_workers=-1)["workers"]


def _lost(worker: str) -> WorkerLostError:
    return WorkerLostError(
        f"scale.fit: the worker at {worker} died with the rows it kept, and so did others before "
        "it; they may not fit into the workers' memory. Use more workers, or workers with more "
        "memory, and fit again."
    )


class _WorkerActor:
    """The actor on one worker, with the object kept there."""

    kept: Any = None  # a class attribute, so that Dask gives access to it
    coordinator: Any = None
    listener: Listener | None = None
    tree: WorkerTree | None = None

    def __init__(self, gather: Callable[[list[Any]], Any], lists: list[list[Any]]) -> None:
        self.kept = gather([part for results in lists for part in results])

    def call(self, method: str, *arguments: Any) -> Any:
        return getattr(self.kept, method)(*arguments)

    def listen(self, scheduler: str, own: str, secret: bytes) -> tuple[str, int] | None:
        """Open a port for the parent worker; return its address, or None if that fails."""
        try:
            self.listener = Listener(address_toward(scheduler, own), secret)
        except (OSError, ValueError):  # no usable network address
            return None
        return self.listener.address

    def connect_tree(self, below: list[tuple[str, int]], secret: bytes, answers: bool) -> bool:
        """Connect to the child workers and serve the parent; return whether that was possible.

        All ports are open before any worker connects, so a worker waits only for its parent, which
        connects first.
        """
        assert self.listener is not None
        try:
            self.tree = WorkerTree(self.kept, [connect(address, secret) for address in below])
            if answers:
                self.listener.serve(self.tree)
            else:
                self.listener.close()
        except OSError:
            return False
        return True

    def start_coordinator(self, make: Callable[[ObjectGroup], Any]) -> None:
        """Create the object that coordinates all workers."""
        assert self.tree is not None
        self.coordinator = make(self.tree)

    def call_coordinator(self, method: str, *arguments: Any) -> Any:
        """Call a method of the coordinator."""
        return getattr(self.coordinator, method)(*arguments)

    def answer(self) -> None:
        """Return immediately, to show that messages arrive."""

    def drop(self) -> None:
        """Delete the object and close the connections."""
        for ended in (self.listener, self.tree):
            if ended is not None:
                ended.close()
        self.kept = self.coordinator = self.listener = self.tree = None
