"""Models of a table in chunks, compared on rows held out at random."""

import numpy as np
import pytest

from gramian.base.errors import DataError, ParameterError
from gramian.scale import chunks, fit_large, large_tables
from gramian.scale.large_tables import LARGE_MODELS

rng = np.random.default_rng(0)
X = rng.normal(size=(1200, 3))
y = X[:, 0] + 0.3 * rng.normal(size=1200)


def test_rows_are_held_out_whatever_is_read_first():
    train, held_out = chunks(X, y, rows=500).split(0.25, seed=3)
    parts = [np.concatenate([c[0] for c in part]) for part in (train, held_out)]
    assert sum(map(len, parts)) == 1200
    assert 240 < len(parts[1]) < 360
    assert not {tuple(r) for r in parts[0]} & {tuple(r) for r in parts[1]}
    again = chunks(X, y, rows=500).split(0.25, seed=3)[1]
    np.testing.assert_array_equal(np.concatenate([c[0] for c in again]), parts[1])
    with pytest.raises(ParameterError, match=r"fraction must be in \(0, 1\)"):
        train.split(1.5)


def test_classes_and_numbers_are_told_apart():
    found = fit_large(chunks(X, np.where(y > 0, "a", "b"), rows=500))
    assert found.task == "classification"
    assert {row[0] for row in found.rows} == set(LARGE_MODELS["classification"])
    assert found.rows[0][1] > 0.8 > found.baseline
    assert found.n_train + found.n_test == 1200
    found = fit_large(chunks(X, y, rows=500))
    assert found.task == "regression"
    assert found.rows[0][1] > 0.85
    assert fit_large(chunks(X, (y > 0) * 1.0, rows=500), models=("GaussianNB",)).task == (
        "classification"
    )


def test_what_cannot_be_fitted_has_a_reason():
    found = fit_large(chunks(X, y > 0, rows=500), models=("GaussianNB", "SVC", "Ridge", "none"))
    assert [row[0] for row in found.rows] == ["GaussianNB"]
    assert (
        "needs all of them in one place" in found.failed["SVC"]
        or "one place" in found.failed["SVC"]
    )
    assert "not for classification" in found.failed["Ridge"]
    assert "no model 'none'" in found.failed["none"]
    with pytest.raises(DataError, match="no model could be fitted"):
        fit_large(chunks(X, y > 0, rows=500), models=("SVC",))
    with pytest.raises(DataError, match="no target"):
        fit_large(chunks(X, rows=500))


def test_a_model_that_does_not_fit_into_memory_is_named(monkeypatch):
    fit = large_tables.fit

    def full(model, *given, **more):
        if type(model).__name__ == "LogisticRegression":
            raise MemoryError("Unable to allocate 3 GiB")
        return fit(model, *given, **more)

    monkeypatch.setattr(large_tables, "fit", full)
    X = np.random.default_rng(0).normal(size=(300, 2))
    models = ("LogisticRegression", "GaussianNB")
    found = fit_large(chunks(X, X[:, 0] > 0, rows=100), models=models)
    assert [row[0] for row in found.rows] == ["GaussianNB"]
    assert (
        "did not fit into memory (Unable to allocate 3 GiB)" in found.failed["LogisticRegression"]
    )
