"""A small fitted model, and its file."""

import numpy as np
import pytest

import gramian


@pytest.fixture
def model():
    rng = np.random.default_rng(0)
    return gramian.KMeans(3, n_init=2, random_state=0).fit(rng.normal(size=(50, 2)))


@pytest.fixture
def path(model, tmp_path):
    return gramian.save(model, tmp_path / "model.gram")


@pytest.fixture
def untried(monkeypatch):
    """Load what stands in a file, whether or not a model could predict with it."""
    monkeypatch.setattr("gramian.base.files.model_file.check_methods", lambda *_: None)
