"""Cross-validation and comparisons through joblib's Dask backend."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score

from gramian import GaussianNB, LogisticRegression, Ridge, compare, study

joblib = pytest.importorskip("joblib")
pytest.importorskip("distributed")
rng = np.random.default_rng(0)
X = rng.normal(size=(120, 3))
y = (X[:, 0] + rng.normal(size=120) > 0).astype(int)


@pytest.mark.slow
def test_fits_are_sent_to_workers_and_give_the_same_scores(client):
    near = cross_val_score(GaussianNB(), X, y)
    models = {"nb": GaussianNB(), "logistic": LogisticRegression()}
    here = compare(models, X, y)
    with joblib.parallel_config(backend="dask"):
        far = cross_val_score(GaussianNB(), X, y, n_jobs=-1)
        search = GridSearchCV(Ridge(), {"alpha": [0.1, 10.0]}, n_jobs=-1).fit(X, y)
        there = compare(models, X, y, n_jobs=-1)
    np.testing.assert_array_equal(far, near)
    assert search.best_params_["alpha"] in (0.1, 10.0)
    np.testing.assert_array_equal(there.scores, here.scores)


def test_the_folds_of_a_study_are_sent_to_workers(client):
    frame = pd.DataFrame(X, columns=list("abc")).assign(y=y)
    settings = {"evals": 2, "models": ("GaussianNB", "LogisticRegression"), "seed": 0}
    here = study.run(frame, "y", **settings)
    with joblib.parallel_config(backend="dask", n_jobs=-1):
        there = study.run(frame, "y", **settings)
    found = [[(m["name"], m["metrics"]) for m in s.result["leaderboard"]] for s in (here, there)]
    assert found[0] == found[1]
