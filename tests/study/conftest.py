"""A small study that several tests look at."""

import pytest

from gramian import study
from tests.study.tables import QUICK, mixed


@pytest.fixture(scope="session")
def classified():
    return study.run(mixed(), "bought", **QUICK)
