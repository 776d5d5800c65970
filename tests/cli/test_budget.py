"""The time limit by the size of the table."""

from gramian.cli.budget import budget_line, default_budget


def test_larger_tables_have_more_time():
    limits = [default_budget(n, 20) for n in (100, 10_000, 100_000, 10_000_000)]
    assert limits == sorted(limits)
    assert (limits[0], limits[-1]) == (300.0, 3600.0)


def test_the_line_has_plurals():
    assert "(1 row, 2 columns)" in budget_line(300.0, 1, 2)
