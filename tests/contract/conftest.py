"""Model files know the example estimators of kinds.py too while the contract is tested."""

import pytest

from gramian.base import catalogue
from tests.contract.kinds import EXAMPLES


@pytest.fixture(autouse=True)
def _known(monkeypatch):
    monkeypatch.setattr(catalogue, "ESTIMATORS", catalogue.ESTIMATORS + EXAMPLES)
