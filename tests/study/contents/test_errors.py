"""Errors on the test rows."""

from gramian.study.contents.errors import Slice, WorstRow


def test_the_worst_row_comes_first(numbers):
    losses = [row.loss for row in numbers.worst_rows]
    assert losses == sorted(losses, reverse=True)
    assert all(isinstance(row, WorstRow) for row in numbers.worst_rows)


def test_subgroups_have_a_higher_error(classes, numbers):
    for contents in (classes, numbers):
        assert all(isinstance(part, Slice) for part in contents.slices)
        assert all(part.error > part.overall for part in contents.slices)
