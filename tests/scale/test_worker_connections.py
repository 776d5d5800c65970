"""Connections between workers: what is sent arrives, trees merge, and strangers are not heard."""

import socket
from operator import add
from threading import Thread

import numpy as np
import pytest

from gramian.base.rows.parts import RowsLostError
from gramian.scale.worker_connections import (
    Listener,
    WorkerConnection,
    WorkerTree,
    address_toward,
    connect,
)

SECRET = b"s" * 32


def pair():
    """Return two ends of a connection."""
    listener = Listener("127.0.0.1", SECRET)
    below = connect(listener.address, SECRET)
    above, _ = listener.server.accept()
    above.recv(len(SECRET))
    listener.server.close()
    return WorkerConnection(above), below


def test_objects_arrive_as_they_were():
    above, below = pair()
    table = np.arange(300_000, dtype=np.int32).reshape(3, -1)
    sent = ("divide", {"a": table, "b": np.empty((0, 4))}, None)
    before = WorkerConnection.bytes_sent
    writer = Thread(target=above.send, args=(sent,))
    writer.start()
    method, arrays, result = below.receive()
    writer.join()
    assert (method, result) == ("divide", None)
    np.testing.assert_array_equal(arrays["a"], table)
    assert arrays["b"].shape == (0, 4)
    assert table.nbytes < WorkerConnection.bytes_sent - before < table.nbytes + 1000
    above.close()
    with pytest.raises(ConnectionResetError, match="other end"):
        below.receive()
    below.close()


class Number:
    def __init__(self, value):
        self.value, self.dead = value, False

    def times(self, factor):
        if factor is None:
            raise ValueError(f"no factor at {self.value}")
        return np.array([self.value * factor])


def tree(count):
    """Connect objects of this process as workers would be; return the first and all others."""
    listeners = [Listener("127.0.0.1", SECRET) for _ in range(count)]
    trees = []
    for at in range(count):
        below = [2 * at + 1, 2 * at + 2]
        below_it = [connect(listeners[k].address, SECRET) for k in below if k < count]
        trees.append(WorkerTree(Number(at + 1), below_it))
    for listener, one in list(zip(listeners, trees, strict=True))[1:]:
        listener.serve(one)
    return trees[0], listeners


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_a_tree_answers_as_one(count):
    first, listeners = tree(count)
    for factor in (1, 10):
        assert first.total("times", add, factor) == factor * count * (count + 1) // 2
    with pytest.raises(ValueError, match="no factor at"):
        first.total("times", add, None)
    first.close()
    for listener in listeners:
        listener.close()


@pytest.mark.parametrize("lost", [1, 4])  # a child, and a child of a child
def test_a_lost_worker_raises_an_error(lost):
    first, listeners = tree(5)
    assert first.total("times", add, 1) == 15
    listeners[lost].close()
    with pytest.raises(RowsLostError, match="a worker was lost"):
        first.total("times", add, 1)
    first.close()
    for listener in listeners:
        listener.close()


def test_connections_without_the_secret_are_ignored():
    listener = Listener("127.0.0.1", SECRET)
    stranger = connect(listener.address, b"x" * 32)
    hasty = socket.create_connection(listener.address)
    hasty.close()
    first = WorkerTree(Number(1), [connect(listener.address, SECRET)])
    listener.serve(WorkerTree(Number(2), []))
    assert first.total("times", add, 1) == 3
    with pytest.raises(OSError):  # noqa: PT011 - reset or ended, as the system likes
        stranger.receive()
    for end in (stranger, first, listener):
        end.close()


def test_a_listener_without_a_connection_gives_up(monkeypatch):
    monkeypatch.setattr("gramian.scale.worker_connections._WAIT", 0.1)
    listener = Listener("127.0.0.1", SECRET)
    with pytest.raises(TimeoutError):
        listener.serve(WorkerTree(Number(1), []))
    assert listener.server.fileno() == -1


@pytest.mark.parametrize("host", ["0.0.0.0", "", "::"])
def test_a_worker_never_listens_on_all_networks(host):
    with pytest.raises(OSError, match="one network"):
        Listener(host, SECRET)


def test_a_worker_listens_where_it_reaches_the_scheduler(monkeypatch):
    asked = []

    class Asking:
        def __init__(self, *kind):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *error):
            pass

        def connect(self, address):
            asked.append(address)

        def getsockname(self):
            return ("10.1.2.3", 40000)

    assert address_toward("127.0.0.1:8786", "127.0.0.1") == "127.0.0.1"
    assert address_toward("127.0.0.1:8786", "10.1.2.4") == "10.1.2.4"  # the scheduler is here
    monkeypatch.setattr(socket, "socket", Asking)
    assert address_toward("10.1.2.9:8786", "192.168.7.7") == "10.1.2.3"
    assert asked == [("10.1.2.9", 8786)]
