"""Plain values."""

import numpy as np

from gramian.study.contents.values import defined


def test_an_undefined_number_is_none():
    assert defined(np.nan) is None
    assert type(defined(np.float64(2.0))) is float
    assert defined(np.inf) == np.inf
