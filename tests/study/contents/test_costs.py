"""The costs that were given."""

from gramian.study.contents.costs import Costs


def test_costs_are_those_given(classes, tree):
    assert classes.costs is None
    assert tree.costs == Costs(table=((0.0, 1.0), (5.0, 0.0)), reject=0.4)
