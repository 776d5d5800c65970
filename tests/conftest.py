"""Shared by all tests: markers, where the real data are, and the same threads after each test."""

import os

os.environ["SCIPY_ARRAY_API"] = "1"  # lets scikit-learn's checks of array API input run

from pathlib import Path

import numpy as np
import pytest
import scipy.linalg  # noqa: F401 - loads SciPy's BLAS before its threads are limited
from hypothesis import settings
from threadpoolctl import threadpool_limits

import gramian

# A busy machine is no failure, and every run tries the same examples.
settings.register_profile("patient", deadline=None, derandomize=True)
settings.load_profile("patient")

# Every other folder computes: its tests must contain whatever the last bits are (tools/roundings).
NOT_NUMERIC = {"base", "benchmarks", "cli", "data", "docs", "plot", "report"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.relative_to(here).parts[0] not in NOT_NUMERIC:
            item.add_marker("numeric")


# Workers that run side by side share the cores: threads of BLAS that wait for one another take
# many times as long as the small systems of tests need.
if workers := int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "0")):
    threadpool_limits(max(1, len(os.sched_getaffinity(0)) // workers), user_api="blas")


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real data sets; tests that need it are skipped where it is absent."""
    folder = os.environ.get("GRAMIAN_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("set GRAMIAN_DATA to the folder of real data sets")
    return Path(folder)


@pytest.fixture(autouse=True)
def _same_threads_after():
    before = gramian.get_num_threads()
    yield
    gramian.set_num_threads(before)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)
