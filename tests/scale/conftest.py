"""One cluster of two processes for all tests that need one."""

import pytest


@pytest.fixture(scope="session")
def cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", memory_limit=None
    ) as found:
        yield found


@pytest.fixture
def client(cluster):
    from distributed import Client

    with Client(cluster) as found:
        yield found
