"""Objects that stay on the workers of a cluster, for fits that would read the rows many times.

Tasks make lists of what is kept of the parts' rows, wherever Dask sends them; then one actor per
worker takes what lies there. A call of all of them costs two milliseconds straight from this
process, four by way of the scheduler, where a pass of tasks costs tens. For fits of many calls the
workers are connected with one another (`links.py`) and led by the first of them; where they cannot
be, or where Dask encrypts its messages, they are led from here. An actor dies with its worker.
"""

import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial, reduce
from typing import Any

from gramian.base.rows.parts import PlaceLostError, Places, caller
from gramian.scale.links import Linked, Listener, address_toward, connect

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
        if not self._link():
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

    def _link(self) -> bool:
        """Connect the workers as a tree; tell whether that was possible."""
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
            calls.append(self._begin(at, "link", below, secret, at > 0))
        linked = [self._answer(*pair) for pair in zip(self.workers, calls, strict=True)]
        return all(linked)

    def _each(self, method: str, *arguments: Any) -> list[Any]:
        calls = [self._begin(at, method, *arguments) for at in range(len(self.actors))]
        return [self._answer(*pair) for pair in zip(self.workers, calls, strict=True)]

    def close(self) -> None:
        """Let go of the objects, at once: Dask keeps an actor until nobody refers to it."""
        for at, worker in enumerate(self.workers):
            with suppress(WorkerLostError):
                self._answer(worker, self._begin(at, "drop"))
        with suppress(Exception):  # of a cluster that is gone
            self.client.cancel(self.futures, force=True)
        self.client.direct_to_workers = self._before
        self.workers, self.actors, self.futures = [], [], []

    def _reached(self) -> bool:
        """Tell whether every worker answers this process without the scheduler between."""
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
    """What a worker keeps."""

    held: Any = None  # named by the class, so that Dask hands it out
    leader: Any = None
    listener: Listener | None = None
    linked: Linked | None = None

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

    def link(self, below: list[tuple[str, int]], secret: bytes, answers: bool) -> bool:
        """Connect to the workers below, and answer the one above; tell whether that was possible.

        Ports are open before anybody connects to them, so that no worker waits for another here
        but for the one above, which connects first.
        """
        assert self.listener is not None
        try:
            self.linked = Linked(self.held, [connect(address, secret) for address in below])
            if answers:
                self.listener.serve(self.linked)
            else:
                self.listener.close()
        except OSError:
            return False
        return True

    def lead(self, make: Callable[[Places], Any]) -> None:
        """Make an object that asks all workers."""
        assert self.linked is not None
        self.leader = make(self.linked)

    def led(self, method: str, *arguments: Any) -> Any:
        """Call a method of it."""
        return getattr(self.leader, method)(*arguments)

    def answer(self) -> None:
        """Do nothing, to show that messages arrive."""

    def drop(self) -> None:
        """Let go of the object, and end the connections."""
        for ended in (self.listener, self.linked):
            if ended is not None:
                ended.close()
        self.held = self.leader = self.listener = self.linked = None
