"""Exponential."""

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.distributions import Exponential


def test_fit_is_n_over_the_sum():
    """T3: (1, 2, 3) gives 1/2."""
    assert Exponential.fit([1.0, 2.0, 3.0]) == Exponential(0.5)


def test_zeros_only_have_no_maximum():
    with pytest.raises(DataError, match="all events are 0"):
        Exponential.fit([0.0, 0.0])
    with pytest.raises(DataError, match=r"numbers >= 0; got -1.0 \(row 0\)"):
        Exponential.fit([-1.0])


def test_quantile_at_1e_300_and_mgf():
    assert Exponential(2.0).quantile(1e-300) == pytest.approx(5e-301)
    assert Exponential(2.0).mgf([1.0, 2.0, 3.0]).tolist() == [2.0, np.inf, np.inf]
