import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.plot import plot_image_rows


def test_images_lie_in_the_row_of_their_name():
    ax = plot_image_rows({"a": np.zeros((2, 4, 4)), "b": np.ones((3, 2, 2))})
    assert len(ax.images) == 5
    assert ax.images[4].get_extent()[0] == pytest.approx(1.53)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]


def test_invalid_rows_of_images_raise():
    with pytest.raises(DataError, match="at least one row"):
        plot_image_rows({})
    with pytest.raises(DataError, match=r"'a' must be images .* shape \(4, 4\)"):
        plot_image_rows({"a": np.zeros((4, 4))})
