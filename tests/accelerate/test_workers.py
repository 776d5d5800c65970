"""Worker processes do as the process that started them."""

import pytest
import sklearn.cluster
import sklearn.naive_bayes
from joblib import Parallel, delayed
from sklearn.model_selection import GridSearchCV

import gramian


def kind(_):
    """Runs in a worker: where a class that it looks up comes from."""
    import sklearn.cluster

    return sklearn.cluster.KMeans.__module__.partition(".")[0]


@pytest.mark.slow
def test_the_report_includes_calls_of_workers(accelerated, table):
    model = sklearn.naive_bayes.GaussianNB()
    search = GridSearchCV(model, {"var_smoothing": [1e-9, 1e-8]}, cv=3, n_jobs=2, refit=False)
    search.fit(*table)
    calls = {row.method: row.calls for row in gramian.accelerate.report()}
    assert calls["fit"] == 6


def test_workers_are_accelerated_and_restored(accelerated):
    run = Parallel(n_jobs=2)
    assert run(delayed(kind)(k) for k in range(2)) == ["gramian"] * 2
    gramian.accelerate.undo()
    assert run(delayed(kind)(k) for k in range(2)) == ["sklearn"] * 2
    assert sklearn.cluster.KMeans.__module__.startswith("sklearn")
