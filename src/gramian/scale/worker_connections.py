"""Direct connections between the workers of a cluster, for fits of thousands of small messages.

A message through Dask takes milliseconds, one over an open socket a tenth of a millisecond. The
workers with rows form a binary tree: worker i is connected to workers 2 i + 1 and 2 i + 2. A
request goes down the tree; each worker calls its own object, merges the result with those of its
children, and sends it up. Every connection begins with a secret that Dask gave to the workers;
connections with another secret are closed unread. Objects are sent as pickles, which can run code
when they are read: anyone who can read the network, and so the secret, can do what a client of the
cluster can. So a worker listens only on the network through which it reaches the scheduler.
"""

import hmac
import ipaddress
import pickle
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any

from gramian.base.rows.parts import RowsLostError

_WAIT = 10.0  # seconds to wait for a connection
_ALIVE = {
    "TCP_KEEPIDLE": 10,
    "TCP_KEEPINTVL": 5,
    "TCP_KEEPCNT": 3,
}  # to detect lost machines
_SIZE = struct.Struct("<Q")


class WorkerConnection:
    """A connection that sends objects as pickles, and their arrays separately."""

    bytes_sent = 0  # over all connections of this process

    def __init__(self, connection: socket.socket) -> None:
        connection.settimeout(None)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, seconds in _ALIVE.items():
            if hasattr(socket, name):
                connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), seconds)
        self.connection = connection

    def send(self, what: Any) -> None:
        """Send an object."""
        buffers: list[pickle.PickleBuffer] = []
        first = pickle.dumps(what, protocol=5, buffer_callback=buffers.append)
        parts: list[bytes | memoryview] = [first, *(buffer.raw() for buffer in buffers)]
        sizes = [_SIZE.pack(len(parts)), *(_SIZE.pack(len(part)) for part in parts)]
        self.connection.sendall(b"".join([*sizes, first]))
        for part in parts[1:]:
            self.connection.sendall(part)
        WorkerConnection.bytes_sent += sum(map(len, [*sizes, *parts]))

    def receive(self) -> Any:
        """Wait for an object."""
        (count,) = _SIZE.unpack(self._take(_SIZE.size))
        sizes = self._take(_SIZE.size * count)
        first, *rest = [self._take(size) for (size,) in _SIZE.iter_unpack(sizes)]
        return pickle.loads(first, buffers=rest)  # from a worker that knows the secret

    def _take(self, size: int) -> bytearray:
        received = bytearray(size)
        view, at = memoryview(received), 0
        while at < size:
            n = self.connection.recv_into(view[at:])
            if n == 0:
                raise ConnectionResetError("the other end closed the connection")
            at += n
        return received

    def close(self) -> None:
        """Close the connection; calls waiting at either end raise an error."""
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
        self.connection.close()


def connect(address: tuple[str, int], secret: bytes) -> WorkerConnection:
    """Connect to a worker that listens."""
    connection = socket.create_connection(address, timeout=_WAIT)
    connection.sendall(secret)
    return WorkerConnection(connection)


def address_toward(scheduler: str, own: str) -> str:
    """Return the address of this machine on the network through which it reaches the scheduler.

    Parameters
    ----------
    scheduler
        Host and port of the scheduler.
    own
        The address that the scheduler has for this worker. It is returned if the scheduler is
        reached through the loopback network, which other machines cannot reach.

    Examples
    --------
    >>> address_toward("127.0.0.1:8786", "127.0.0.1")
    '127.0.0.1'
    """
    host, _, port = scheduler.rpartition(":")
    found = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_DGRAM)
    family, kind, _, _, address = found[0]
    with socket.socket(family, kind) as asking:
        asking.connect(address)  # a datagram socket: chooses a network, sends nothing
        toward = str(asking.getsockname()[0])
    return own if ipaddress.ip_address(toward.partition("%")[0]).is_loopback else toward


class WorkerTree:
    """The objects of a worker and of all workers below it in the tree.

    To the coordinator on the first worker it is a `gramian.base.rows.parts.ObjectGroup`.
    """

    def __init__(self, kept: Any, below: list[WorkerConnection]) -> None:
        self.kept, self.below = kept, below

    def total(self, method: str, merge: Callable[[Any, Any], Any], *arguments: Any) -> Any:
        """Call a method of all objects in parallel and merge the results up the tree."""
        try:
            for worker in self.below:
                worker.send((method, merge, arguments))
            found = getattr(self.kept, method)(*arguments)
            for worker in self.below:
                fine, answer = worker.receive()
                if not fine:
                    raise answer
                found = merge(found, answer)
        except (OSError, EOFError) as error:
            raise RowsLostError(f"scale.fit: a worker was lost ({error}).") from None
        return found

    def close(self) -> None:
        """End the connections."""
        for worker in self.below:
            worker.close()


class Listener:
    """Wait for the parent worker, then answer its requests in a thread until it disconnects."""

    def __init__(self, host: str, secret: bytes) -> None:
        self.secret = secret
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.server = socket.create_server((host, 0), family=family)
        self.server.settimeout(_WAIT)
        self.address: tuple[str, int] = self.server.getsockname()[:2]
        if ipaddress.ip_address(self.address[0].partition("%")[0]).is_unspecified:
            self.server.close()
            raise OSError(f"scale.fit: a worker must listen on one network; got {host!r} (all).")
        self.above: WorkerConnection | None = None

    def serve(self, tree: WorkerTree) -> None:
        """Accept the connection of the parent worker and start to answer."""
        with self.server:
            while self.above is None:
                connection, _ = self.server.accept()
                connection.settimeout(_WAIT)
                with suppress(OSError):
                    received = connection.recv(len(self.secret), socket.MSG_WAITALL)
                    if hmac.compare_digest(received, self.secret):
                        self.above = WorkerConnection(connection)
                        continue
                connection.close()
        Thread(target=_answer, args=(self.above, tree), daemon=True).start()

    def close(self) -> None:
        """Close the connection, which ends the thread."""
        self.server.close()
        if self.above is not None:
            self.above.close()


def _answer(above: WorkerConnection, tree: WorkerTree) -> None:
    """Answer requests until the connection ends; then close the children's connections."""
    try:
        while True:
            method, merge, arguments = above.receive()
            try:
                answer = (True, tree.total(method, merge, *arguments))
            except Exception as error:
                answer = (False, error)
            above.send(answer)
            del answer
    except (OSError, EOFError):
        pass
    finally:
        tree.close()
        above.close()
