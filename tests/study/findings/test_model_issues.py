"""What went wrong with models is reported, with what to do."""

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import gramian
from gramian import study
from gramian.evaluate import compare_scores
from gramian.study.findings.model_issues import issues_of_models, issues_of_selection
from gramian.study.findings.standings import usefulness
from tests.study.tables import QUICK, mixed


def test_a_model_that_fails_does_not_end_the_study(monkeypatch):
    """An estimator that cannot be fitted is recorded, and the others go on."""

    def refuse(self, X, y=None, sample_weight=None):
        raise ValueError("KNeighborsClassifier: no")

    monkeypatch.setattr(gramian.KNeighborsClassifier, "fit", refuse)
    found = study.run(mixed(), "bought", **QUICK)
    assert {row["name"] for row in found.result["leaderboard"]} == {
        "LogisticRegression",
        "baseline",
    }
    (check,) = [c for c in found.result["checks"] if c["code"] == "failed-model"]
    assert check["text"] == (
        "KNeighborsClassifier failed at every setting and was left out: "
        "ValueError: KNeighborsClassifier: no"
    )


def test_settings_that_fail_are_counted(monkeypatch):
    fit = gramian.KNeighborsClassifier.fit

    def refuse(self, X, y):
        if self.get_params() != gramian.KNeighborsClassifier().get_params():
            raise ValueError("only the default")
        return fit(self, X, y)

    monkeypatch.setattr(gramian.KNeighborsClassifier, "fit", refuse)
    found = study.run(mixed(), "bought", **QUICK)
    (check,) = [c for c in found.result["checks"] if c["code"] == "failed-settings"]
    assert check["text"] == (
        "KNeighborsClassifier: 1 of 2 settings failed, the first with ValueError: only the default"
    )


def test_models_for_which_evaluations_do_not_suffice_are_named():
    found = study.run(mixed(), "bought", evals=1, models=QUICK["models"])
    (check,) = [c for c in found.result["checks"] if c["code"] == "models-untried"]
    assert check["text"] == "Not tried, because evals is too small: KNeighborsClassifier."


def test_noise_is_not_reported_as_a_useful_model(rng):
    frame = pl.DataFrame({"x": rng.normal(size=80), "z": rng.normal(size=80), "y": ["a", "b"] * 40})
    found = study.run(frame, "y", **QUICK)
    assert "not significantly better than the baseline" in found.result["verdict"][2]
    assert any(check["code"] == "baseline" for check in found.result["checks"])


def test_models_that_are_left_out_are_named():
    slow, wide, late = issues_of_selection(["C"], ["D", "E"], ["B"])
    assert (slow.code, slow.text) == ("too-many-rows", "The table has too many rows for C.")
    assert wide.text == "The table has too many columns for D and E."
    assert (late.code, late.severity) == ("models-untried", "warning")
    assert issues_of_selection([], [], []) == []


def codes(*, train=0.9, held_out=0.89, baseline=0.5, warnings=(), rows=500, auc=None):
    """Return the codes of the issues of one model beside the baseline, over ten splits."""
    noise = 0.01 * np.sin(np.arange(10.0))
    scores = {"A": held_out + noise, "baseline": baseline - noise}
    comparison = compare_scores(scores, test_over_train=0.25, tested_rows=500, baseline="baseline")
    searched = SimpleNamespace(failures={}, chosen={"A": None})
    compared = SimpleNamespace(
        failures={},
        chosen={"A": SimpleNamespace(warnings=list(warnings))},
        train_scores={"A": [train]},
        scores={"A": {"accuracy": [held_out]}},
        comparisons={"accuracy": comparison},
    )
    main = SimpleNamespace(name="accuracy", score=lambda value: value)
    problem = SimpleNamespace(rows=np.arange(rows))
    bench = SimpleNamespace(main=main, problem=problem)
    if auc is not None:
        areas = {"A": auc + noise, "baseline": np.full(10, 0.5)}
        compared.comparisons["roc_auc"] = compare_scores(
            areas, test_over_train=0.25, tested_rows=500, baseline="baseline"
        )
    useful = usefulness(compared.comparisons, "accuracy")
    found = issues_of_models(bench, searched, compared, "A", useful)
    return [f"{issue.code}: {issue.severity}" for issue in found]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, []),
        ({"train": 1.0, "held_out": 0.8}, ["gap: note"]),
        ({"train": 0.9, "held_out": 0.85}, []),
        ({"train": 0.89, "baseline": 0.89}, ["baseline: serious"]),
        ({"train": 0.89, "baseline": 0.95}, ["baseline: serious"]),
        ({"train": 0.89, "baseline": 0.889, "rows": 60}, ["baseline: warning"]),
        ({"train": 0.89, "baseline": 0.95, "rows": 60}, ["baseline: serious"]),
        ({"train": 0.89, "baseline": 0.89, "auc": 0.78}, ["baseline-by-metric: warning"]),
        ({"train": 0.89, "baseline": 0.89, "auc": 0.5}, ["baseline: serious"]),
        ({"warnings": ("did not converge",)}, ["fit-warning: note"]),
    ],
)
def test_each_issue_has_its_threshold(settings, expected):
    assert codes(**settings) == expected
