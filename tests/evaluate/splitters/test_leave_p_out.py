"""Leave-p-out with a limit on the number of splits."""

import numpy as np
import pytest

from gramian.evaluate import (
    GuardedLeavePOut,
)


def test_worked_number_t25_leave_p_out_gives_every_subset():
    splitter, X = GuardedLeavePOut(2), np.zeros((20, 1))
    tests = {tuple(test) for _, test in splitter.split(X)}
    assert len(tests) == splitter.get_n_splits(X) == 190


def test_leaving_out_too_many_subsets_is_refused_with_advice():
    with pytest.raises(ValueError, match=r"5 of 100 rows .* 7.529e\+07 ways.*ShuffleSplit"):
        next(GuardedLeavePOut(5).split(np.zeros((100, 1))))
    with pytest.raises(ValueError, match="less than the 3 rows; got 3"):
        GuardedLeavePOut(3).get_n_splits([[0], [1], [2]])
    assert GuardedLeavePOut(5, max_splits=10**8).get_n_splits(range(100)) == 75_287_520
