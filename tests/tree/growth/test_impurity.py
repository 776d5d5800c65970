import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.tree import DecisionTreeClassifier as Theirs

from gramian.base.errors import DataError
from gramian.tree import (
    check_impurity,
    entropy,
    entropy_in_stages,
    gain_ratio,
    gini,
    information_gain,
    misclassification,
    split_cost,
    split_information,
)

BRANCHES = arrays(np.int64, (3, 4), elements=st.integers(0, 30)).filter(
    lambda a: (a.sum(axis=1) > 0).all()
)


def test_entropy_of_three_equal_of_one_and_of_two_equal_classes():
    assert entropy([4, 4, 4]) == pytest.approx(np.log2(3))
    assert entropy([4, 4, 4]) == pytest.approx(1.585, abs=5e-4)
    assert entropy([9, 0, 0]) == 0
    assert entropy([3, 3]) == 1
    assert entropy([3, 3], unit="nats") == pytest.approx(np.log(2))


def test_a_split_that_keeps_the_proportions_has_zero_gain():
    """20 C and 10 D into 10 C, 5 D twice."""
    assert information_gain([[10, 5], [10, 5]]) == pytest.approx(0, abs=1e-15)


def test_gain_of_twenty_and_ten():
    assert entropy([20, 10]) == pytest.approx(0.91830, abs=5e-6)
    assert split_cost([[10, 9], [10, 1]]) == pytest.approx(0.79322, abs=5e-6)
    assert information_gain([[10, 9], [10, 1]]) == pytest.approx(0.12508, abs=5e-6)


def test_gain_ratio_of_the_nine_and_five():
    """The outlook of Quinlan's golf data."""
    outlook = [[2, 3], [4, 0], [3, 2]]
    assert entropy([9, 5]) == pytest.approx(0.94029, abs=5e-6)
    assert information_gain(outlook) == pytest.approx(0.24675, abs=5e-6)
    assert split_information(outlook) == pytest.approx(1.57741, abs=5e-6)
    assert gain_ratio(outlook) == pytest.approx(0.15643, abs=5e-6)


def test_gini_of_two_classes_is_twice_p_times_q():
    p = np.linspace(0, 1, 11)
    assert gini(np.column_stack([p, 1 - p])) == pytest.approx(2 * p * (1 - p))


def test_gini_and_entropy_match_a_peer(rng):
    X, y = rng.normal(size=(80, 2)), rng.integers(0, 3, 80)
    for ours, name in ((gini, "gini"), (entropy, "entropy")):
        theirs = Theirs(criterion=name, max_depth=3, random_state=0).fit(X, y).tree_
        assert ours(theirs.value[:, 0]) == pytest.approx(theirs.impurity)


def test_misclassification_gain_of_a_useful_split_is_zero():
    """The majority stays the same, so 1 - max p gains nothing where entropy does."""
    assert misclassification([20, 10]) == pytest.approx(1 / 3)
    assert information_gain([[10, 9], [10, 1]], "misclassification") == pytest.approx(0, abs=1e-15)


def test_the_unweighted_sum_ignores_branch_sizes():
    branches = [[5, 5], [90, 0]]
    assert split_cost(branches, combine="sum") == 1
    assert split_cost(branches) == pytest.approx(0.1)


def test_a_split_into_one_branch_has_no_ratio():
    assert gain_ratio([[3, 4], [0, 0]]) == 0


@pytest.mark.parametrize(
    "impurity", ["entropy", "gini", "misclassification", lambda p: gini(p) ** 0.5]
)
@given(branches=BRANCHES)
def test_no_split_raises_a_concave_impurity(impurity, branches):
    assert information_gain(branches, impurity) >= -1e-12


@given(branches=BRANCHES)
def test_only_equal_proportions_have_zero_gain(branches):
    shares = branches / branches.sum(axis=1, keepdims=True)
    same = np.allclose(shares, shares[0], atol=1e-12)
    assert (information_gain(branches, "gini") > 1e-12) == (not same)


@given(counts=arrays(np.int64, 5, elements=st.integers(0, 40)).filter(lambda a: a.sum() > 0))
def test_information_may_be_gathered_in_stages(counts):
    for groups in ([[0], [1, 2, 3, 4]], [[0, 3], [1, 4], [2]], [[4, 3, 2, 1, 0]]):
        assert entropy_in_stages(counts, groups) == pytest.approx(entropy(counts), abs=1e-12)


def test_which_functions_are_impurities():
    for good in (entropy, gini, lambda p: np.sqrt(np.prod(p, axis=-1))):
        assert check_impurity(good).holds
        assert check_impurity(good).strictly_concave
    flat = check_impurity(misclassification)
    assert flat.holds
    assert not flat.strictly_concave
    assert not check_impurity(lambda p: p[..., 0]).zero_when_pure
    assert not check_impurity(lambda p: np.abs(p[..., 0] - 0.5)).concave
    lopsided = check_impurity(lambda p: p[..., 0] ** 2 * p[..., 1])
    assert not lopsided.greatest_at_half
    assert not lopsided.unimodal


@pytest.mark.parametrize("counts", [[], [0, 0], [-1, 2], [np.nan, 1], 3])
def test_invalid_class_weights_are_rejected(counts):
    with pytest.raises(DataError, match="entropy: counts must"):
        entropy(counts)


def test_invalid_splits_are_rejected():
    with pytest.raises(DataError, match="one row per branch"):
        information_gain([1, 2])
    with pytest.raises(DataError, match="each of the 3 classes once"):
        entropy_in_stages([1, 2, 3], [[0, 1]])
    with pytest.raises(DataError, match="one of"):
        information_gain([[1, 2]], "ginni")
    with pytest.raises(DataError, match="one finite number per row"):
        check_impurity(lambda p: 1.0)
