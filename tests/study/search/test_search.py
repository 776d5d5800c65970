"""The search over settings."""

import pytest

import gramian
from gramian import study
from tests.study.tables import mixed


@pytest.mark.slow
def test_a_setting_that_comes_up_again_is_not_fitted_again(monkeypatch):
    monkeypatch.setattr("gramian.study.search.search.settings_at", lambda space, number, seed: {})
    fit, calls = gramian.KNeighborsClassifier.fit, []

    def counted(self, X, y):
        calls.append(1)
        return fit(self, X, y)

    monkeypatch.setattr(gramian.KNeighborsClassifier, "fit", counted)
    numbers = []
    for evals in (1, 5):
        calls.clear()
        found = study.run(mixed(), "bought", evals=evals, models=("KNeighborsClassifier",))
        numbers.append(len(calls))
        assert found.result["evaluations"]["made"] == evals
    assert numbers[0] == numbers[1]
