"""What the contract tests share: the example estimators are known, and few settings are quick."""

from pathlib import Path

import pytest

from gramian.base import catalogue
from tests.contract.estimators import ALL
from tests.contract.kinds import EXAMPLES
from tests.contract.settings import examples


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark scikit-learn's checks slow for all settings but an estimator's first."""
    quick = {repr(examples(entry)[0]) for entry in ALL}
    of_estimator: dict[int, bool] = {}
    for item in items:
        if item.path == Path(__file__).with_name("test_sklearn_checks.py"):
            model = item.callspec.params["estimator"]
            if id(model) not in of_estimator:
                of_estimator[id(model)] = repr(model) in quick
            if not of_estimator[id(model)]:
                item.add_marker("slow")


@pytest.fixture(autouse=True)
def _known(monkeypatch):
    """Let model files hold the example estimators."""
    monkeypatch.setattr(catalogue, "ESTIMATORS", catalogue.ESTIMATORS + EXAMPLES)
