"""Out-of-fold predictions."""

from gramian.study.contents.models import ClassPredictions, NumberPredictions


def test_each_task_has_its_type(classes, numbers):
    assert {type(found) for found in classes.models.values()} == {ClassPredictions}
    assert {type(found) for found in numbers.models.values()} == {NumberPredictions}


def test_rows_are_rejected_only_where_that_is_allowed(classes, tree):
    assert all(found.rejected is None for found in classes.models.values())
    assert all(len(found.rejected) == 2 for found in tree.models.values())


def test_the_counts_match_the_rows(classes, numbers):
    for found in classes.models.values():
        rows = sum(map(sum, found.confusion))
        assert rows == 120 - classes.test.rows
        for curve in found.curves:
            assert curve.class_ == 1
            assert curve.thresholds.positives + curve.thresholds.negatives == rows
    for found in numbers.models.values():
        assert sum(found.residuals.counts) == sum(decile.rows for decile in found.deciles)
