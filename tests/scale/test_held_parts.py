"""Objects that stay on workers: they answer, and a worker that dies is told."""

import os
import signal
from functools import partial

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


def test_objects_answer_where_they_are(client):
    held = parts(client, [np.ones(3), np.zeros(2), np.ones(1)]).hold(total, Sum)
    assert isinstance(held, HeldOnWorkers)
    found = held.each("plus", 10)
    assert sorted(np.concatenate(found)) == [11.0, 13.0, 13.0]
    with pytest.raises(ValueError, match="of mine"):
        held.each("fails")
    kept = list(held.actors)
    held.close()
    assert all(lets_go(actor) for actor in kept)


def test_without_a_client_they_are_here():
    held = parts(None, [np.ones(3), np.zeros(2)]).hold(total, Sum)
    assert isinstance(held, HeldHere)
    assert held.each("plus", 1) == [[4.0, 2.0]]
    held.close()


def test_a_step_that_fails_says_why(client):
    with pytest.raises(ValueError, match="no rows"):
        parts(client, [None, np.ones(2)]).hold(total, Sum)


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
            held.each("dies")
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
    assert sorted(np.concatenate(held.each("plus", 0))) == [1.0, 3.0]  # by way of the scheduler
    held.close()
