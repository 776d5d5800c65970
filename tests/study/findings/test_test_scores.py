"""Scores on the test rows are those of the model, with intervals."""

import numpy as np

from gramian import study
from gramian.study.problem.problem import pose_problem
from gramian.study.problem.splits import split_rows
from gramian.study.settings import Settings
from tests.study.tables import QUICK, mixed


def test_the_test_score_is_that_of_the_model_on_rows_it_never_saw(classified):
    """The score can be made again from the model and the row numbers alone."""
    settings = Settings(target="bought", evals=4, models=QUICK["models"])
    problem = pose_problem(mixed(), settings)
    rows = split_rows(problem, settings).test
    said = classified.model.predict(mixed()[rows])
    assert (
        np.mean(said == problem.labels[rows])
        == classified.result["test"]["scores"]["accuracy"]["value"]
    )


def test_confusion_is_of_the_decisions_that_the_saved_model_makes():
    """A miss that costs fifty makes nearly every row a "yes"; a cheap refusal makes it none."""
    settings = {"costs": ((0.0, 50.0), (1.0, 0.0)), **QUICK}
    problem = pose_problem(mixed(), Settings(target="bought", **settings))
    rows = split_rows(problem, Settings(target="bought", **settings)).test
    for reject in (None, 0.5):
        found = study.run(mixed(), "bought", reject=reject, **settings)
        said, truth = found.model.predict(mixed()[rows]), problem.labels[rows]
        expected = [
            [int(((truth == a) & (said == b)).sum()) for b in ("no", "yes")] for a in ("no", "yes")
        ]
        assert found.result["test"]["confusion"] == expected
        if reject is None:
            assert expected[1][0] == 0 < expected[0][1]  # no miss, some false alarms
        else:
            lost = [int(((truth == a) & (said == "reject")).sum()) for a in ("no", "yes")]
            assert found.result["test"]["refused"] == lost
            assert sum(lost) > 0
    parts = found.contents["models"]["LogisticRegression"]
    assert np.sum(parts["confusion"]) + np.sum(parts["refused"]) == len(problem.y) - len(rows)
