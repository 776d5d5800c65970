"""Line styles."""

import pytest

from gramian.plot.strokes import strokes


@pytest.mark.parametrize("skip", [0, 2])
def test_32_lines_have_different_styles(skip):
    assert len({tuple(stroke.values()) for stroke in strokes(32, skip=skip)}) == 32
