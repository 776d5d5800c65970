"""The gallery of label sets runs, and what its texts claim holds."""

import pytest

from tests.docs.test_examples import run


@pytest.mark.slow
def test_learners_are_compared_and_the_hierarchy_holds_every_label():
    found = run("plot_label_sets")
    assert sorted(found["leaves"].values()) == sorted(found["names"])
    assert found["tree"].depth == 3
    for report in found["reports"].values():
        assert 0.4 < report.metrics["f1_micro"].estimate < 0.7
        assert report.metrics["precision_at_1"].estimate > 0.6
