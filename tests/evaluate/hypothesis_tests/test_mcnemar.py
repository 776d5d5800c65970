"""McNemar and Cochran: the answers of statsmodels and mlxtend."""

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.evaluate import cochran_q_test, mcnemar_test


def predictions(both, first_wrong, second_wrong, neither):
    """Truth and two predictions with the given counts of right and wrong rows."""
    sizes = (both, first_wrong, second_wrong, neither)
    first = np.repeat([1, 0, 1, 0], sizes)
    second = np.repeat([1, 1, 0, 0], sizes)
    return np.ones(sum(sizes)), first, second


def test_mcnemar_matches_statsmodels_and_mlxtend():
    """[[50, 9], [25, 16]] in statsmodels 0.15.0 and mlxtend 0.25.0."""
    rows = predictions(50, 25, 9, 16)
    exact = mcnemar_test(*rows)
    assert (exact.statistic, exact.p_value) == (9, pytest.approx(0.00904118549078703))
    chi2 = mcnemar_test(*rows, method="chi2")
    assert chi2.statistic == pytest.approx(6.617647058823529)
    assert chi2.p_value == pytest.approx(0.010097314647507242)
    assert chi2.df == (1,)
    assert exact.estimate == pytest.approx(0.16)
    assert mcnemar_test(*rows, method="mid-p").p_value < exact.p_value


def test_swapping_the_classifiers_changes_the_sign():
    y, first, second = predictions(50, 25, 9, 16)
    there, back = mcnemar_test(y, first, second), mcnemar_test(y, second, first)
    assert there.p_value == back.p_value
    assert there.interval == pytest.approx((-back.interval[1], -back.interval[0]))


def test_cochran_matches_statsmodels_and_mlxtend():
    """Three classifiers with 10, 18 and 23 errors; statsmodels 0.15.0 and mlxtend 0.25.0."""
    y = np.array([0] * 60 + [1] * 40)
    rng = np.random.default_rng(0)
    predicted = [np.where(rng.random(100) < rate, 1 - y, y) for rate in (0.1, 0.2, 0.3)]
    assert [int((p != y).sum()) for p in predicted] == [10, 18, 23]
    found = cochran_q_test(y, *predicted)
    assert found.statistic == pytest.approx(5.863636363636363)
    assert found.p_value == pytest.approx(0.053300040827397595)
    assert found.df == (2,)


def test_cochran_of_two_is_mcnemar_without_correction():
    y, first, second = predictions(50, 25, 9, 16)
    assert cochran_q_test(y, first, second).statistic == pytest.approx((25 - 9) ** 2 / (25 + 9))


@pytest.mark.parametrize("method", ["exact", "mid-p", "chi2"])
def test_classifiers_that_agree_do_not_differ(method):
    y, first, _ = predictions(5, 3, 0, 2)
    assert mcnemar_test(y, first, first, method=method).p_value == 1
    assert cochran_q_test(y, first, first, first).p_value == 1


def test_strings_are_classes_too():
    assert mcnemar_test(["a", "b"], ["a", "a"], ["b", "b"]).p_value == 1


def test_bad_input_says_what_must_hold():
    with pytest.raises(DataError, match="at least two classifiers; got 1"):
        cochran_q_test([1, 0], [1, 0])
    with pytest.raises(DataError, match=r"one class per test row; got shapes \(2,\)"):
        mcnemar_test([1, 0], [1, 0], [1])


def test_the_interval_of_mcnemar_ends_where_differences_do():
    low, high = mcnemar_test([1] * 3, [0] * 3, [1] * 3).interval
    assert -1 <= low < high == 1
    assert mcnemar_test([1] * 3, [1] * 3, [0] * 3).interval[0] == -1
