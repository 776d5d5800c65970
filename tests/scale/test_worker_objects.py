"""Objects kept on workers: calls return results, and a lost worker raises an error."""

import os
import signal
from functools import partial
from operator import add

import numpy as np
import pytest

from gramian.base.rows.parts import LocalObject, RowsLostError
from gramian.scale import ClusterError
from gramian.scale.dask_parts import DaskParts
from gramian.scale.worker_objects import DaskObjects

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore::Warning:distributed")


class Sum:
    """Adds a number to the sums of parts."""

    def __init__(self, parts):
        self.parts = parts

    def plus(self, number):
        return [part + number for part in self.parts]

    def fails(self):
        raise ValueError("of mine")

    def dies(self):
        os.kill(os.getpid(), signal.SIGKILL)


class Coordinator:
    """Calls all objects."""

    def __init__(self, group):
        self.group = group

    def plus(self, number):
        return os.getpid(), self.group.total("plus", add, number)

    def fails(self):
        self.group.total("fails", add)

    def kills(self, pid):
        os.kill(pid, signal.SIGKILL)
        while True:
            self.group.total("plus", add, 0)


def total(chunks, part, start):
    ((X, _, _),) = chunks
    if X is None:
        raise ValueError("no rows")
    return float(X.sum()) + part + start


def parts(client, tables):
    chunk = dask.delayed(lambda X: (X, None, None))
    return DaskParts([chunk(X) for X in tables], None, client)


def is_released(actor):
    """Whether the object is deleted; a cancelled actor may not answer at all."""
    try:
        return actor.kept is None
    except RuntimeError as error:
        return "cancelled" in str(error)


@pytest.mark.slow
def test_objects_are_called_on_their_workers(client):
    held = parts(client, [np.ones(3), np.zeros(2), np.ones(1)]).keep_on_workers(total, Sum)
    assert isinstance(held, DaskObjects)
    assert sorted(held.total("plus", add, 10)) == [11.0, 13.0, 13.0]
    with pytest.raises(ValueError, match="of mine"):
        held.total("fails", add)
    kept = list(held.actors)
    held.close()
    assert all(is_released(actor) for actor in kept)


def test_without_a_client_the_object_is_local():
    held = parts(None, [np.ones(3), np.zeros(2)]).keep_on_workers(total, Sum)
    assert isinstance(held, LocalObject)
    assert held.total("plus", add, 1) == [4.0, 2.0]
    assert held.start_coordinator(Coordinator)("plus", 2) == (os.getpid(), [5.0, 3.0])
    held.close()


def test_the_error_of_a_step_is_raised(client):
    with pytest.raises(ValueError, match="no rows"):
        parts(client, [None, np.ones(2)]).keep_on_workers(total, Sum)


@pytest.mark.slow
def test_a_lost_worker_raises_an_error():
    settings = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": ":0"}
    with (
        distributed.LocalCluster(**settings, memory_limit=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        held = parts(client, [np.ones(3)]).keep_on_workers(total, partial(Sum))
        with pytest.raises(
            RowsLostError, match=r"worker at .* died with the rows it kept"
        ) as error:
            held.total("dies", add)
        assert isinstance(error.value, ClusterError)
        held.close()


def test_messages_go_directly_to_reachable_workers(client, monkeypatch):
    rows = parts(client, [np.ones(3), np.zeros(2)])
    held = rows.keep_on_workers(total, Sum)
    assert client.direct_to_workers
    held.close()
    assert not client.direct_to_workers

    def no_way(address):
        raise OSError(f"no way to {address}")

    monkeypatch.setattr(client, "rpc", no_way)
    held = rows.keep_on_workers(total, Sum)
    assert not client.direct_to_workers
    assert sorted(held.total("plus", add, 0)) == [1.0, 3.0]  # through the scheduler
    held.close()


@pytest.mark.parametrize("connected", [True, False])
def test_the_first_worker_or_this_process_coordinates(client, monkeypatch, connected):
    if not connected:  # as where messages are encrypted
        monkeypatch.setattr(DaskObjects, "_connect_tree", lambda self: False)
    held = parts(client, [np.ones(3), np.zeros(2), np.ones(1)]).keep_on_workers(total, Sum)
    call = held.start_coordinator(Coordinator)
    for number in (10, 20):
        pid, found = call("plus", number)
        assert sorted(found) == [number + 1, number + 3, number + 3]
        assert (pid in client.run(os.getpid).values()) == connected
    with pytest.raises(ValueError, match="of mine"):
        call("fails")
    held.close()


def test_workers_without_a_free_port_are_coordinated_by_this_process(client):
    held = parts(client, [np.ones(3), np.zeros(2)]).keep_on_workers(total, Sum)
    held.workers = [worker.replace("127.0.0.1", "192.0.2.1") for worker in held.workers]
    pid, found = held.start_coordinator(Coordinator)("plus", 0)
    assert pid == os.getpid()
    assert sorted(found) == [1.0, 3.0]
    held.close()


@pytest.mark.slow
@pytest.mark.parametrize("victim", [0, 1])
def test_the_coordinator_reports_a_lost_worker(victim):
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with (
        distributed.LocalCluster(**settings, memory_limit=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        held = parts(client, [np.ones(3), np.ones(2)]).keep_on_workers(total, Sum)
        call = held.start_coordinator(Coordinator)
        pids = client.run(os.getpid)
        assert len(held.workers) == 2
        with pytest.raises(RowsLostError, match="died with the rows it kept"):
            call("kills", pids[held.workers[victim]])
        held.close()
