"""Objects that stay on workers: they answer, and a worker that dies is told."""

import os
import signal
from functools import partial
from operator import add

import numpy as np
import pytest

from gramian.base.rows.parts import HeldHere, PlaceLostError
from gramian.scale import ClusterError
from gramian.scale.dask_parts import DaskParts
from gramian.scale.held_parts import HeldOnWorkers

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


class Leader:
    """Asks all."""

    def __init__(self, places):
        self.places = places

    def plus(self, number):
        return os.getpid(), self.places.total("plus", add, number)

    def fails(self):
        self.places.total("fails", add)

    def kills(self, pid):
        os.kill(pid, signal.SIGKILL)
        while True:
            self.places.total("plus", add, 0)


def total(chunks, part, start):
    ((X, _, _),) = chunks
    if X is None:
        raise ValueError("no rows")
    return float(X.sum()) + part + start


def parts(client, tables):
    chunk = dask.delayed(lambda X: (X, None, None))
    return DaskParts([chunk(X) for X in tables], None, client)


def lets_go(actor):
    """Whether the object is dropped; a cancelled actor may not even answer."""
    try:
        return actor.held is None
    except RuntimeError as error:
        return "cancelled" in str(error)


@pytest.mark.slow
def test_objects_answer_where_they_are(client):
    held = parts(client, [np.ones(3), np.zeros(2), np.ones(1)]).hold(total, Sum)
    assert isinstance(held, HeldOnWorkers)
    assert sorted(held.total("plus", add, 10)) == [11.0, 13.0, 13.0]
    with pytest.raises(ValueError, match="of mine"):
        held.total("fails", add)
    kept = list(held.actors)
    held.close()
    assert all(lets_go(actor) for actor in kept)


def test_without_a_client_they_are_here():
    held = parts(None, [np.ones(3), np.zeros(2)]).hold(total, Sum)
    assert isinstance(held, HeldHere)
    assert held.total("plus", add, 1) == [4.0, 2.0]
    assert held.lead(Leader)("plus", 2) == (os.getpid(), [5.0, 3.0])
    held.close()


def test_a_step_that_fails_says_why(client):
    with pytest.raises(ValueError, match="no rows"):
        parts(client, [None, np.ones(2)]).hold(total, Sum)


@pytest.mark.slow
def test_a_worker_that_dies_is_told():
    settings = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": ":0"}
    with (
        distributed.LocalCluster(**settings, memory_limit=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        held = parts(client, [np.ones(3)]).hold(total, partial(Sum))
        with pytest.raises(
            PlaceLostError, match=r"worker at .* died with the rows it kept"
        ) as told:
            held.total("dies", add)
        assert isinstance(told.value, ClusterError)
        held.close()


def test_messages_go_straight_to_workers_that_can_be_reached(client, monkeypatch):
    rows = parts(client, [np.ones(3), np.zeros(2)])
    held = rows.hold(total, Sum)
    assert client.direct_to_workers
    held.close()
    assert not client.direct_to_workers

    def no_way(address):
        raise OSError(f"no way to {address}")

    monkeypatch.setattr(client, "rpc", no_way)
    held = rows.hold(total, Sum)
    assert not client.direct_to_workers
    assert sorted(held.total("plus", add, 0)) == [1.0, 3.0]  # by way of the scheduler
    held.close()


@pytest.mark.parametrize("connected", [True, False])
def test_the_first_worker_leads_or_this_process(client, monkeypatch, connected):
    if not connected:  # as where messages are encrypted
        monkeypatch.setattr(HeldOnWorkers, "_connect_tree", lambda self: False)
    held = parts(client, [np.ones(3), np.zeros(2), np.ones(1)]).hold(total, Sum)
    lead = held.lead(Leader)
    for number in (10, 20):
        pid, found = lead("plus", number)
        assert sorted(found) == [number + 1, number + 3, number + 3]
        assert (pid in client.run(os.getpid).values()) == connected
    with pytest.raises(ValueError, match="of mine"):
        lead("fails")
    held.close()


def test_workers_without_a_free_port_are_led_from_here(client):
    held = parts(client, [np.ones(3), np.zeros(2)]).hold(total, Sum)
    held.workers = [worker.replace("127.0.0.1", "192.0.2.1") for worker in held.workers]
    pid, found = held.lead(Leader)("plus", 0)
    assert pid == os.getpid()
    assert sorted(found) == [1.0, 3.0]
    held.close()


@pytest.mark.slow
@pytest.mark.parametrize("victim", [0, 1])
def test_a_worker_that_dies_is_told_by_the_one_that_leads(victim):
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with (
        distributed.LocalCluster(**settings, memory_limit=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        held = parts(client, [np.ones(3), np.ones(2)]).hold(total, Sum)
        lead = held.lead(Leader)
        pids = client.run(os.getpid)
        assert len(held.workers) == 2
        with pytest.raises(PlaceLostError, match="died with the rows it kept"):
            lead("kills", pids[held.workers[victim]])
        held.close()
