"""Ranks over data sets: the example of Demsar 2006, and scikit-posthocs."""

import numpy as np
import pytest
from scipy import stats

from gramian.base.errors import DataError, ParameterError
from gramian.evaluate import compare_ranks, critical_difference, friedman_test, wilcoxon_test

# After Demsar, JMLR 7, 2006, table 6, not checked against the print; the value 0.9751 stands for
# a tie in it and was set so that its row ranks 4, 1, 2, 3: AUC of C4.5 and three variants on 14
# data sets. The printed ranks of the 13th row are 4, 1, 2, 3, so its last two values, both
# printed 0.975, differ.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975], [0.957, 0.978, 0.946, 0.970],
    ]
)  # fmt: skip
NAMES = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]


def test_wilcoxon_of_demsar_section_3_1_3():
    """R+ = 93, R- = 12, two zeros shared: T = 12, significant at 0.05."""
    found = wilcoxon_test(DEMSAR[:, 1], DEMSAR[:, 0])
    assert found.statistic == 12
    assert found.rejected
    up = wilcoxon_test(DEMSAR[:, 1], DEMSAR[:, 0], alternative="greater")
    assert up.statistic == 93
    assert up.p_value == pytest.approx(found.p_value / 2)


def test_friedman_and_nemenyi_of_demsar_section_3_2():
    """Mean ranks 3.143, 2.000, 2.893, 1.964; chi2 = 9.28, F = 3.69 without the ties' correction."""
    found = compare_ranks(DEMSAR, NAMES)
    assert found.mean_ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)
    plain = 8.4 * ((found.mean_ranks**2).sum() - 25)
    assert plain == pytest.approx(9.28, abs=5e-3)
    ranks = stats.rankdata(DEMSAR, axis=1)
    ties = 12 * ranks.var(axis=1, ddof=1).sum() / (14 * 4 * 5)
    assert friedman_test(DEMSAR, method="chi2").statistic == pytest.approx(plain / ties)
    assert 13 * plain / (42 - plain) == pytest.approx(3.69, abs=5e-3)
    assert found.friedman.rejected
    assert found.friedman.df == (3, 39)
    assert found.critical_difference == pytest.approx(2.569 * np.sqrt(20 / 84), abs=5e-4)
    assert critical_difference(4, 14, alpha=0.1) == pytest.approx(1.12, abs=5e-3)


def test_friedman_is_scipys_with_ties():
    found = friedman_test(DEMSAR, method="chi2")
    theirs = stats.friedmanchisquare(*DEMSAR.T)
    assert (found.statistic, found.p_value) == pytest.approx((theirs.statistic, theirs.pvalue))


def test_iman_davenport_is_the_two_way_f_of_the_ranks(rng):
    scores = rng.normal(size=(8, 4))
    ranks = stats.rankdata(-scores, axis=1)
    models = 8 * ((ranks.mean(axis=0) - 2.5) ** 2).sum() / 3
    rest = ((ranks - ranks.mean(axis=0)) ** 2).sum() / 21
    assert friedman_test(scores).statistic == pytest.approx(models / rest)


def test_models_that_always_tie_rank_alike():
    found = compare_ranks(np.ones((6, 3)))
    assert found.friedman.p_value == 1
    assert found.groups == ((0, 1, 2),)
    assert wilcoxon_test(np.zeros(6)).p_value == 1


def test_bad_input_says_what_must_hold():
    with pytest.raises(
        DataError, match=r"column for each model \(at least 3\); got shape \(5, 2\)"
    ):
        friedman_test(np.ones((5, 2)))
    with pytest.raises(DataError, match="names must have 4 entries, one per model; got 2"):
        compare_ranks(DEMSAR, ["a", "b"])
    with pytest.raises(ParameterError, match="adjust must be one of 'nemenyi'"):
        compare_ranks(DEMSAR, adjust="tukey")
    with pytest.raises(ParameterError, match="n_models must be >= 2"):
        critical_difference(1, 10)


def test_ties_up_to_rounding_are_ties():
    """0.3 - 0.2, 0.8 - 0.7 and 0.2 - 0.3 have one size, and 0.1 + 0.2 is 0.3."""
    first, second = [0.3, 0.8, 0.2, 0.9, 0.65], [0.2, 0.7, 0.3, 0.4, 0.35]
    exact = wilcoxon_test([1.0, 1.0, -1.0, 5.0, 3.0])
    assert wilcoxon_test(first, second).statistic == exact.statistic == 2
    assert wilcoxon_test(first, second).p_value == exact.p_value
    assert wilcoxon_test([0.1 + 0.2] * 6, [0.3] * 6).p_value == 1
    table = np.array([[0.1 + 0.2, 0.3, 0.3]] * 8)
    assert friedman_test(table).p_value == 1
