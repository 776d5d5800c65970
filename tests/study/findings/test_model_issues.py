"""What went wrong with models is said, with what to do."""

import polars as pl

import gramian
from gramian import study
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


def test_noise_is_not_sold_as_a_model(rng):
    frame = pl.DataFrame({"x": rng.normal(size=80), "z": rng.normal(size=80), "y": ["a", "b"] * 40})
    found = study.run(frame, "y", **QUICK)
    assert "not significantly better than the baseline" in found.result["verdict"][2]
    assert any(check["code"] == "baseline" for check in found.result["checks"])
