"""A cluster of processes: the same bits for any workers, sums only, and what happens to faults."""

import os
import resource
import signal
import threading
import time
from functools import partial

import numpy as np
import pytest
from sklearn.base import clone, is_classifier

from gramian import (
    PCA,
    GaussianMixture,
    GaussianNB,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    KMeans,
    LinearRegression,
    LogisticRegression,
    TimeBudget,
)
from gramian.base.errors import DataError
from gramian.ensemble.hist_boosting import distributed_fit
from gramian.scale import ClusterError, chunks, dask_parts, fit, predict, score
from gramian.scale.dask_parts import DaskParts
from gramian.scale.fitting import chunks_of
from gramian.scale.worker_connections import WorkerConnection
from tests.scale.methods import METHODS, ONLINE, assert_agree, name_of

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
da = pytest.importorskip("dask.array")
pytestmark = pytest.mark.filterwarnings("ignore::Warning:distributed")


TWO = {
    "n_workers": 2,
    "threads_per_worker": 1,
    "dashboard_address": ":0",
    "memory_limit": None,
}


def collections(X, y, parts=3):
    step = -(-len(X) // parts)
    whole = da.from_array(X, chunks=(step, X.shape[1]))
    return whole, None if y is None else da.from_array(y, chunks=(step, *y.shape[1:]))


@pytest.mark.numeric
@pytest.mark.parametrize("method", METHODS, ids=name_of)
def test_a_cluster_gives_the_answer_in_memory(method, client):
    model, X, y, names = method
    whole = clone(model).fit(X, y)
    parts = 1 if isinstance(model, ONLINE) else 3
    fitted = fit(clone(model), *collections(X, y, parts), client=client)
    assert_agree(fitted, whole, names)


@pytest.mark.parametrize("method", [METHODS[0], METHODS[9], METHODS[23]], ids=name_of)
def test_the_number_of_workers_changes_no_bit(method, client):
    model, X, y, names = method
    data = collections(X, y, 5)
    first = fit(clone(model), *data, client=client)
    assert_agree(fit(clone(model), *data), first, names, rtol=0)  # the current client
    for workers in (1, 3):
        with dask.config.set(scheduler="threads", num_workers=workers):
            again = clone(model).fit_chunks(chunks_of(*data, None, None))
        assert_agree(again, first, names, rtol=0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "model",
    [LinearRegression(), LogisticRegression(), KMeans(3, random_state=0), GaussianNB()],
    ids=lambda model: type(model).__name__,
)
def test_the_parts_of_a_task_change_no_bit(model, client, tmp_path, monkeypatch):
    table = np.random.default_rng(0).normal(size=(4000, 4))
    table[:, 3] = table @ [1.0, -1.0, 0.5, 0.3] > 0
    np.save(tmp_path / "t.npy", table)
    pieces = chunks(tmp_path / "t.npy", 3, rows=100)  # 40 parts: three groups
    first = fit(clone(model), pieces, client=client)
    for share in (1, 5, 16):
        monkeypatch.setattr(
            dask_parts,
            "batches",
            lambda parts, threads, group, share=share: [
                range(at, min(at + share, start + group, parts))
                for start in range(0, parts, group)
                for at in range(start, min(start + group, parts), share)
            ],
        )
        again = fit(clone(model), pieces, client=client)
        names = [n for n in vars(first) if n.endswith("_") and not n.startswith("_")]
        kept = [n for n in names if isinstance(getattr(first, n), np.ndarray)]
        assert kept
        assert_agree(again, first, kept, rtol=0)


BOOSTING = {"max_iter": 3, "max_leaf_nodes": 8, "early_stopping": False, "random_state": 0}


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_boosted_trees_are_identical_to_fit(parts, client):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(900, 4))
    X[::7, 1] = np.nan
    X[:, 3] = rng.integers(0, 6, size=900)
    y = X[:, 0] + np.isin(X[:, 3], [1, 4])
    settings = {**BOOSTING, "categorical_features": [3]}
    for model, target in (
        (HistGradientBoostingRegressor(**settings), y),
        (HistGradientBoostingClassifier(**settings), np.where(y > 0, "p", "n")),
        (HistGradientBoostingClassifier(**settings), np.digitize(y, [0, 1])),
    ):
        whole = clone(model).fit(X, target)
        far = fit(clone(model), *collections(X, target, parts), client=client)
        np.testing.assert_array_equal(far._scores(X), whole._scores(X))
    with dask.config.set(scheduler="threads", num_workers=2):
        near = clone(model).fit_chunks(chunks_of(*collections(X, target, parts), None, None))
    np.testing.assert_array_equal(near._scores(X), whole._scores(X))


def make(rows, columns, seed):
    """Make rows on a worker, so that none comes from this process."""
    return np.random.default_rng(seed).normal(size=(rows, columns))


def remote(parts=6, rows=500, columns=4):
    blocks = [dask.delayed(make, pure=True)(rows, columns, j) for j in range(parts)]
    return da.concatenate([da.from_delayed(b, (rows, columns), float) for b in blocks])


def sent_bytes(client):
    found = client.run(lambda dask_worker: dask_worker.transfer_outgoing_bytes_total)
    return sum(found.values()) + sum(client.run(links_sent).values())


def links_sent():
    return WorkerConnection.bytes_sent


def peak_memory(client):
    return client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "table.npy"
    np.save(path, np.random.default_rng(0).normal(size=(400_000, 11)))
    return path


@pytest.mark.parametrize(
    ("model", "share"),  # of the table that may be sent: sums, or a sample of the stated size
    [
        (LinearRegression(), 1e-3),
        (LogisticRegression(), 0.2),
        (KMeans(3, random_state=0, max_iter=3), 0.2),
        (GaussianMixture(2, random_state=0, max_iter=2, tol=1.0), 0.2),
        (PCA(2), 1e-3),
        (GaussianNB(), 1e-3),
        (HistGradientBoostingClassifier(**BOOSTING), 0.2),  # a sample of 20,000 rows, histograms
    ],
    ids=lambda value: type(value).__name__,
)
def test_only_sums_are_sent_and_memory_holds_a_part(model, share, client, file, monkeypatch):
    monkeypatch.setattr(distributed_fit, "QUANTILE_ROWS", 20_000)
    y = None
    if is_classifier(model):
        y = (np.load(file)[:, 3] > 0).astype(int)
    target = 10 if isinstance(model, LinearRegression) else y
    pieces = chunks(file, target, rows=40_000)
    fit(clone(model), pieces, client=client)  # imports, first pages
    before, peaks = sent_bytes(client), peak_memory(client)
    fit(clone(model), pieces, client=client)
    size = 400_000 * 11 * 8
    assert sent_bytes(client) - before < share * size
    # boosting keeps codes, scores and the order of the rows, 64 bytes a row here, and joins parts
    # and pages of the mapped file that the worker had not read before count, half of it or so
    most = size * (1.5 if isinstance(model, HistGradientBoostingClassifier) else 0.75)
    for worker, peak in peak_memory(client).items():
        assert peak - peaks[worker] < most


def test_prediction_and_score_are_lazy(client):
    X = remote()
    y = X[:, 0] > 0
    model = fit(LogisticRegression(), X, y, client=client)
    lazy = predict(model, X)
    assert isinstance(lazy, da.Array)
    assert lazy.chunks[0] == X.chunks[0]
    np.testing.assert_array_equal(lazy[:100].compute(), model.predict(X[:100].compute()))
    p = predict(model, X, method="predict_proba")
    assert p.shape == (len(X), 2)
    assert score(model, X, y, client=client) == pytest.approx(float((lazy == y).mean().compute()))


def test_a_file_is_read_by_the_workers(client, tmp_path):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(1000, 3)), columns=list("abc"))
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=300)
    pieces = chunks(tmp_path / "t.parquet", "c")
    near = LinearRegression().fit(frame[["a", "b"]].to_numpy(), frame["c"])
    far = fit(LinearRegression(), pieces, client=client)
    np.testing.assert_allclose(far.coef_, near.coef_)
    found = np.concatenate(list(predict(far, pieces, client=client)))
    np.testing.assert_allclose(found, near.predict(frame[["a", "b"]].to_numpy()))
    (tmp_path / "t.parquet").write_bytes(b"damaged")
    with pytest.raises(DataError, match=r"row group 0 of .* cannot be read"):
        fit(LinearRegression(), pieces, client=client)


def slow_row(block, delay):
    time.sleep(delay)
    return block


@pytest.fixture
def own_client():
    """A cluster that a test may break."""
    with distributed.LocalCluster(**TWO) as cluster, distributed.Client(cluster) as found:
        yield found


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_of_a_fit(own_client):
    X = remote(parts=8)
    y = X[:, 0] + 1.0
    slow = X.map_blocks(slow_row, delay=0.5, dtype=float)
    pids = list(own_client.run(os.getpid).values())
    killer = threading.Timer(1.0, os.kill, (pids[0], signal.SIGKILL))
    killer.start()
    model = fit(LinearRegression(), slow, y, client=own_client)
    killer.join()
    whole = LinearRegression().fit(
        np.concatenate([make(500, 4, j) for j in range(8)]),
        np.concatenate([make(500, 4, j)[:, 0] + 1.0 for j in range(8)]),
    )
    np.testing.assert_allclose(model.coef_, whole.coef_, atol=1e-12)
    assert pids[0] not in own_client.run(os.getpid).values()


@pytest.mark.slow
@pytest.mark.parametrize("victim", [0, 1])
def test_a_worker_killed_while_trees_grow(victim, own_client):
    X = remote(parts=4, rows=2000)
    y = X[:, 0] + 1.0
    pids = list(own_client.run(os.getpid).values())
    settings = {**BOOSTING, "max_iter": 6}
    model = HistGradientBoostingRegressor(**settings).set_callbacks(Killer(pids[victim], 3))
    fit(model, X, y, client=own_client)
    whole = np.concatenate([make(2000, 4, j) for j in range(4)])
    near = HistGradientBoostingRegressor(**settings).fit(whole, whole[:, 0] + 1.0)
    np.testing.assert_array_equal(model.predict(whole), near.predict(whole))
    assert pids[victim] not in own_client.run(os.getpid).values()


class Killer:
    """Kills a process after some iterations."""

    def __init__(self, pid, after):
        self.pid, self.after = pid, after

    def setup(self, estimator, context):
        pass

    def teardown(self, estimator, context):
        pass

    def on_fit_task_begin(self, estimator, context):
        pass

    def on_fit_task_end(self, estimator, context):
        self.after -= 1
        if self.after == 0:
            os.kill(self.pid, signal.SIGKILL)
        return False


def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
def test_a_part_that_kills_every_worker_is_named(own_client):
    own_client.cluster.scheduler.allowed_failures = 0
    parts = DaskParts([dask.delayed(make)(50, 3, 0), dask.delayed(make)(50, 3, 1)], [50, 50])
    parts.client = own_client
    with pytest.raises(ClusterError, match=r"every worker that tried part \d of 2 died"):
        parts.total(die, die)


@pytest.mark.slow
def test_parts_that_a_killing_task_read_are_named(own_client):
    own_client.cluster.scheduler.allowed_failures = 0
    parts = DaskParts([partial(make, 50, 3, j) for j in range(12)], [50] * 12, own_client)
    with pytest.raises(ClusterError, match=r"tried parts? \d+( to \d+)? of 12 died"):
        parts.total(die, die)


@pytest.mark.slow
def test_a_worker_killed_while_it_reads_parts(own_client):
    pids = list(own_client.run(os.getpid).values())
    parts = DaskParts([partial(slow_read, j) for j in range(20)], [50] * 20, own_client)
    killer = threading.Timer(0.6, os.kill, (pids[0], signal.SIGKILL))
    killer.start()
    found = parts.total(listed, lambda left, right: left + right)
    killer.join()
    assert found == list(range(20))
    assert pids[0] not in own_client.run(os.getpid).values()


def slow_read(part):
    time.sleep(0.2)
    return part


def listed(chunks, part, start):
    return [part] if chunks == [part] else []


@pytest.mark.slow
def test_a_scheduler_that_closes_is_named(own_client):
    slow = remote(parts=2).map_blocks(slow_row, delay=4.0, dtype=float)
    closer = threading.Timer(1.5, own_client.restart, kwargs={"wait_for_workers": False})
    closer.start()
    with pytest.raises(ClusterError, match=r"scheduler at .* restarted, closed or dropped"):
        fit(LinearRegression(), slow, remote(parts=2)[:, 0], client=own_client)
    closer.join()


def test_a_time_budget_stops_a_fit_and_memory_is_released(client):
    X = remote(parts=4, rows=2000)
    held = partial(client.run_on_scheduler, lambda dask_scheduler: len(dask_scheduler.tasks))
    before = held()
    model = KMeans(5, random_state=0, tol=0).set_callbacks(TimeBudget(0.0))
    fit(model, X, client=client)
    assert model.n_iter_ == 1
    deadline = time.monotonic() + 20
    while held() > before and time.monotonic() < deadline:
        time.sleep(0.1)
    assert held() <= before


@pytest.mark.parametrize("budget", [False, True])
def test_trees_leave_nothing_on_the_workers(budget, client):
    held = partial(client.run_on_scheduler, lambda dask_scheduler: len(dask_scheduler.tasks))
    actors = partial(client.run, lambda dask_worker: len(dask_worker.state.actors))
    X = remote(parts=4, rows=300)
    before = held()
    model = HistGradientBoostingRegressor(**BOOSTING)
    if budget:
        model.set_callbacks(TimeBudget(0.0))
    fit(model, X, X[:, 0], client=client)
    assert model.n_iter_ == (1 if budget else 3)
    deadline = time.monotonic() + 20
    while (held() > before or any(actors().values())) and time.monotonic() < deadline:
        time.sleep(0.1)  # without a collection of garbage, which may come much later
    assert held() <= before
    assert not any(actors().values())


@pytest.mark.slow
def test_ctrl_c_cancels_the_pass(client):
    slow = remote(parts=6).map_blocks(slow_row, delay=3.0, dtype=float)
    held = partial(client.run_on_scheduler, lambda dask_scheduler: len(dask_scheduler.tasks))
    before = held()
    ended = threading.Event()

    def press():
        """Again while the fit runs: Python drops an interrupt that falls into a finalizer."""
        delay = 1.5
        while not ended.wait(delay):
            os.kill(os.getpid(), signal.SIGINT)
            delay = 6.0

    key = threading.Thread(target=press, daemon=True)
    # A process that was started in the background of a shell ignores the signal.
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    key.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            fit(LinearRegression(), slow, remote(parts=6)[:, 0], client=client)
    finally:
        ended.set()
        key.join()
        signal.signal(signal.SIGINT, usual)
    deadline = time.monotonic() + 20
    while held() > before and time.monotonic() < deadline:
        time.sleep(0.1)
    assert held() <= before


def test_another_version_is_refused(client, monkeypatch):
    import gramian

    monkeypatch.setattr(gramian, "__version__", "99.0")
    X = remote(parts=2, rows=50, columns=3)
    with pytest.raises(ClusterError, match=r"worker at .* this process has gramian 99\.0"):
        fit(LinearRegression(), X, X[:, 0], client=client)
