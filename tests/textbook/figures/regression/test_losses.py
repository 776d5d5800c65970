import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.textbook.figures import plot_losses

Z = np.linspace(-2, 2, 9)


def test_each_loss_is_a_line_of_its_own_style(ax):
    losses = {"hinge": np.maximum(1 - Z, 0), "exponential": np.exp(-Z)}
    assert plot_losses(Z, losses, xlabel="residual", ax=ax) is ax
    for line, (name, values) in zip(ax.lines, losses.items(), strict=False):
        assert line.get_label() == name
        assert_allclose(line.get_ydata(), values)
    assert ax.lines[0].get_linestyle() != ax.lines[1].get_linestyle()
    assert ax.get_xlabel() == "residual"


def test_values_of_another_length_are_refused():
    with pytest.raises(DataError, match=r"'hinge' must have one value.*\(3,\) and \(9,\)"):
        plot_losses(Z, {"hinge": [1, 2, 3]})
