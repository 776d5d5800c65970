"""Line styles."""

import pytest

from gramian.plot.strokes import strokes


@pytest.mark.parametrize("skip", [0, 2])
def test_no_two_of_32_lines_are_alike(skip):
    assert len({tuple(stroke.values()) for stroke in strokes(32, skip=skip)}) == 32
