"""The 5x2cv tests."""

import numpy as np
import pytest
from scipy import stats

from gramian.evaluate import (
    five_by_two_f_test,
    five_by_two_t_test,
)

# GaussianNB less a tree of depth 2 on four columns of breast cancer, as mlxtend 0.25.0 splits it.
HALVES = [
    [0.0035087719298245723, 0.02464788732394363], [0.0035087719298245723, 0.014084507042253613],
    [0.0, 0.014084507042253613], [0.007017543859649145, -0.010563380281690127],
    [0.01754385964912275, 0.0035211267605633756],
]  # fmt: skip


def test_five_by_two_by_hand():
    d = np.array(HALVES)
    variances = d.var(axis=1, ddof=1)
    found = five_by_two_t_test(d)
    assert found.statistic == pytest.approx(d[0, 0] / np.sqrt(variances.mean()))
    assert found.p_value == pytest.approx(2 * stats.t.sf(found.statistic, 5))
    f = five_by_two_f_test(d)
    assert f.statistic == pytest.approx((d**2).sum() / (2 * variances.sum()))
    assert f.p_value == pytest.approx(stats.f.sf(f.statistic, 10, 5))
    assert f.estimate == pytest.approx(d.mean())


def test_five_by_two_is_mlxtends():
    """mlxtend 0.25.0, paired_ttest_5x2cv and combined_ftest_5x2cv."""
    t, f = five_by_two_t_test(HALVES), five_by_two_f_test(HALVES)
    assert (t.statistic, t.p_value) == pytest.approx((0.312238562721698, 0.7674608577553504))
    assert (f.statistic, f.p_value) == pytest.approx((1.1956724099605336, 0.44710142831264116))


def test_ten_scores_in_a_row_are_five_halvings():
    flat = np.ravel(HALVES)
    assert five_by_two_t_test(flat) == five_by_two_t_test(HALVES)
    base = np.linspace(0.5, 0.7, 10)
    assert five_by_two_f_test(base + flat, base).p_value == pytest.approx(
        five_by_two_f_test(flat).p_value
    )
