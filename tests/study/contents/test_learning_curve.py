"""The learning curve."""

from gramian.study.contents.learning_curve import LearningCurve


def test_rows_grow_and_every_split_has_a_value(classes):
    curve = classes.learning_curve
    assert isinstance(curve, LearningCurve)
    assert curve.metric == classes.run.metric
    rows = [point.rows for point in curve.points]
    assert rows == sorted(rows)
    assert all(len(point.train) == len(point.validation) for point in curve.points)
