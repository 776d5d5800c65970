"""The examples of kernels run, and what their texts claim holds."""

from tests.docs.test_examples import run


def test_kernel_expansions_separate_and_a_middle_width_is_best():
    found = run("plot_kernel_expansion")
    for model in found["surfaces"].values():
        assert model.score(found["points"], found["labels"]) == 1.0
    narrow, middle, wide = found["accuracy"].values()
    assert middle > narrow
    assert middle > 0.85
    assert wide > narrow
