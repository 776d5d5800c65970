"""The skill of one column: all of the target, nothing, and what lies between."""

import numpy as np
import pytest

from gramian.study.problem.single_columns import alike_in_groups, skill_of_column


def test_a_column_that_determines_the_class_has_skill_one(rng):
    y = rng.integers(0, 3, 300)
    assert skill_of_column(y + rng.uniform(0, 0.5, 300), y, n_classes=3, ordered=True) == 1.0
    assert skill_of_column((y + 1) % 3, y, n_classes=3, ordered=False) == 1.0


def test_noise_has_none(rng):
    y = rng.integers(0, 2, 2000)
    assert skill_of_column(rng.normal(size=2000), y, n_classes=2, ordered=True) < 0.1
    assert skill_of_column(rng.integers(0, 9, 2000), y, n_classes=2, ordered=False) < 0.1
    z = rng.normal(size=2000)
    assert skill_of_column(rng.normal(size=2000), z, n_classes=0, ordered=True) < 0.1


def test_the_skill_counts_errors_against_the_most_frequent_class(rng):
    """A code that is wrong in 1 of 10 rows of a class of 30% avoids two thirds of the errors."""
    y = (np.arange(3000) % 10 < 3).astype(int)
    values = np.where(rng.permutation(3000) % 10 == 0, 1 - y, y)
    assert skill_of_column(values, y, n_classes=2, ordered=False) == pytest.approx(2 / 3, abs=0.03)


def test_values_that_never_repeat_do_not_predict():
    """Identifiers, all different, have the answer of the most frequent class."""
    y = (np.arange(300) % 3 == 0).astype(int)
    assert skill_of_column(np.arange(300), y, n_classes=2, ordered=False) == 0.0


def test_numbers_may_follow_any_curve_or_a_noisy_line(rng):
    x = rng.normal(size=500)
    assert skill_of_column(x, np.exp(x), n_classes=0, ordered=True) == pytest.approx(1.0)
    assert skill_of_column(x, np.cos(3 * x), n_classes=0, ordered=True) > 0.95
    noisy = x + 0.05 * rng.normal(size=500)
    assert skill_of_column(x, noisy, n_classes=0, ordered=True) == pytest.approx(
        np.corrcoef(x, noisy)[0, 1] ** 2, abs=0.005
    )


def test_groups_of_one_target_are_alike_and_random_ones_are_not(rng):
    groups = np.repeat(np.arange(50), 6)
    for n_classes, y in ((2, rng.integers(0, 2, 50)), (0, rng.normal(size=50))):
        found = alike_in_groups(groups, y[groups], n_classes=n_classes)
        assert found == pytest.approx(1.0)
        mixed = alike_in_groups(rng.permutation(groups), y[groups], n_classes=n_classes)
        assert abs(mixed) < 0.1
    assert alike_in_groups(np.arange(10), np.arange(10.0), n_classes=0) == 0.0
