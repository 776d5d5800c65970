"""The target."""

from gramian.study.contents.target import ClassTarget, NumericTarget


def test_classes_and_numbers_have_their_own_types(classes, numbers):
    assert isinstance(classes.target, ClassTarget)
    assert sum(each.rows for each in classes.target.classes) == 120
    assert isinstance(numbers.target, NumericTarget)
    assert sum(numbers.target.histogram.counts) == numbers.run.data.rows_used
