"""Explanations are of rows that the model was not fitted to."""

import polars as pl

from gramian import study


def test_importances_are_of_rows_that_the_model_did_not_see(rng):
    """A tree learns noise by heart; shuffling its columns takes nothing from rows it never saw."""
    frame = pl.DataFrame(rng.normal(size=(150, 3)), schema=["a", "b", "c"])
    frame = frame.with_columns(y=pl.Series(rng.choice(["u", "v"], 150)))
    found = study.run(frame, "y", evals=1, models=("DecisionTreeClassifier",))
    assert found.result["leaderboard"][0]["metrics"]["accuracy"]["mean"] < 0.7
    assert max(abs(item["mean"]) for item in found.contents["importances"]) < 0.12
