"""Worker processes do as the process that started them."""

import sklearn.cluster
from joblib import Parallel, delayed


def kind(_):
    """Runs in a worker: where a class that it looks up comes from."""
    import sklearn.cluster

    return sklearn.cluster.KMeans.__module__.partition(".")[0]


def test_workers_are_accelerated_and_put_back(accelerated):
    import gramian

    run = Parallel(n_jobs=2)
    assert run(delayed(kind)(k) for k in range(2)) == ["gramian"] * 2
    gramian.accelerate.undo()
    assert run(delayed(kind)(k) for k in range(2)) == ["sklearn"] * 2
    assert sklearn.cluster.KMeans.__module__.startswith("sklearn")
