"""Analysis of variance."""

import pytest

from gramian.base.errors import DataError
from gramian.evaluate import anova_test


def test_analysis_of_variance_is_scipys():
    """scipy 1.17.1, f_oneway."""
    found = anova_test([6, 8, 4, 5, 3, 4], [8, 12, 9, 11, 6, 8], [13, 9, 11, 8, 7, 12])
    assert found.statistic == pytest.approx(9.264705882352942)
    assert found.p_value == pytest.approx(0.0023987773293929083)
    assert found.df == (2, 15)
    assert anova_test([1, 1], [1, 1]).p_value == 1
    with pytest.raises(DataError, match="at least two groups; got 1"):
        anova_test([1, 2])
