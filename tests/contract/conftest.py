"""What the contract tests share: the example estimators are known, and few settings are quick."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from gramian.base import catalogue
from tests.contract.estimators import ALL
from tests.contract.kinds import EXAMPLES
from tests.contract.settings import NEEDS_TORCH, examples


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark scikit-learn's checks slow for all settings but an estimator's first.

    What needs PyTorch is skipped where there is none.
    """
    if find_spec("torch") is None:
        absent = pytest.mark.skip(reason='PyTorch is not installed: pip install "gramian[nn]"')
        for item in items:
            given = getattr(item, "callspec", None)
            values = given.params.values() if given is not None else ()
            if any(_name(value) in NEEDS_TORCH for value in values):
                item.add_marker(absent)
    quick = {repr(examples(entry)[0]) for entry in ALL}
    of_estimator: dict[int, bool] = {}
    for item in items:
        if item.path == Path(__file__).with_name("test_sklearn_checks.py"):
            model = item.callspec.params["estimator"]
            if id(model) not in of_estimator:
                of_estimator[id(model)] = repr(model) in quick
            if not of_estimator[id(model)]:
                item.add_marker("slow")


def _name(value: object) -> str:
    """Return the estimator of a setting or of an entry of the catalogue."""
    return value.name if isinstance(value, catalogue.Entry) else type(value).__name__


@pytest.fixture(autouse=True)
def _known(monkeypatch):
    """Let model files hold the example estimators."""
    monkeypatch.setattr(catalogue, "ESTIMATORS", catalogue.ESTIMATORS + EXAMPLES)
