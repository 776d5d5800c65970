"""Objects that stay on the workers of a cluster, for fits that would read the rows many times.

Tasks collect what is kept of the rows of each part, wherever Dask sends them; then one actor per
worker takes over what is there. A call of all actors costs two milliseconds directly from this
process and four through the scheduler; a pass of tasks costs tens. For fits with many calls the
workers are connected with one another (`worker_connections.py`), and the first one leads them. If
that is impossible, or if Dask encrypts its messages, this process leads them. An actor dies with
its worker.
"""

import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial, reduce
from typing import Any

from gramian.base.rows.parts import PlaceLostError, Places, caller
from gramian.scale.worker_connections import Listener, WorkerTree, address_toward, connect

_WAIT = 2.0  # seconds after which an answer that does not come is suspect


class ClusterError(RuntimeError):
    """The cluster lost something that a fit needs."""


class WorkerLostError(ClusterError, PlaceLostError):
    """A worker died with the rows it kept."""


class HeldOnWorkers:
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
            client.submit(_Holder, gather, kept, workers=[worker], actor=True, pure=False)
            for worker, kept in where.items()
        ]
        self.actors = [
            self._answer(worker, future)
            for worker, future in zip(self.workers, self.futures, strict=True)
        ]
        for part in parts:  # which the actors have put together
            part.release()
        self._before = client.direct_to_workers
        client.direct_to_workers = self._before or self._reached()

    def total(self, method: str, merge: Callable[[Any, Any], Any], *arguments: Any) -> Any:
        """Call a method of every object at once, and merge the answers."""
        return reduce(merge, self._each("call", method, *arguments))

    def lead(self, make: Callable[[Places], Any]) -> Callable[..., Any]:
        """Make an object on the first worker, or here if the workers cannot be connected."""
        if not self._connect_tree():
            return caller(make(self))
        self._led("lead", make)
        return partial(self._led, "led")

    def _led(self, method: str, *arguments: Any) -> Any:
        """Call the first worker, which tells if another is gone."""
        try:
            return self._answer(self.workers[0], self._begin(0, method, *arguments))
        except WorkerLostError:
            raise
        except PlaceLostError:
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
        """Whether every worker answers this process without the scheduler between."""
        self.client.direct_to_workers = True
        try:
            for call in [actor.answer() for actor in self.actors]:
                call.result(timeout=_WAIT)
        except OSError:  # no way to the worker, or none within the time
            return False
        return True

    def _begin(self, at: int, method: str, *arguments: Any) -> Any:
        """Call a method of one holder; Dask refuses to where it knows that the worker is gone."""
        try:
            return getattr(self.actors[at], method)(*arguments)
        except RuntimeError as error:
            if "Actor was lost" not in str(error):
                raise
            raise _lost(self.workers[at]) from None

    def _answer(self, worker: str, call: Any) -> Any:
        """Return the answer of a worker; look after the worker while it does not come."""
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


class _Holder:
    """The object that a worker keeps."""

    held: Any = None  # named by the class, so that Dask hands it out
    leader: Any = None
    listener: Listener | None = None
    tree: WorkerTree | None = None

    def __init__(self, gather: Callable[[list[Any]], Any], lists: list[list[Any]]) -> None:
        self.held = gather([part for found in lists for part in found])

    def call(self, method: str, *arguments: Any) -> Any:
        return getattr(self.held, method)(*arguments)

    def listen(self, scheduler: str, own: str, secret: bytes) -> tuple[str, int] | None:
        """Open a port for the worker above; return its address, None if that cannot be."""
        try:
            self.listener = Listener(address_toward(scheduler, own), secret)
        except (OSError, ValueError):  # no address, or none of a network
            return None
        return self.listener.address

    def connect_tree(self, below: list[tuple[str, int]], secret: bytes, answers: bool) -> bool:
        """Connect to the workers below, and answer the one above; return whether that was possible.

        Ports are open before anybody connects to them, so that no worker waits for another here
        but for the one above, which connects first.
        """
        assert self.listener is not None
        try:
            self.tree = WorkerTree(self.held, [connect(address, secret) for address in below])
            if answers:
                self.listener.serve(self.tree)
            else:
                self.listener.close()
        except OSError:
            return False
        return True

    def lead(self, make: Callable[[Places], Any]) -> None:
        """Make an object that asks all workers."""
        assert self.tree is not None
        self.leader = make(self.tree)

    def led(self, method: str, *arguments: Any) -> Any:
        """Call a method of it."""
        return getattr(self.leader, method)(*arguments)

    def answer(self) -> None:
        """Return at once, to show that messages arrive."""

    def drop(self) -> None:
        """Delete the object and close the connections."""
        for ended in (self.listener, self.tree):
            if ended is not None:
                ended.close()
        self.held = self.leader = self.listener = self.tree = None
