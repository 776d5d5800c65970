"""Combined predictions of different classifiers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian import (
    VotingClassifier,
)
from tests.ensemble.voting.fixed import fixed_members

ROWS, LABELS = np.arange(6.0)[:, None], [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize(
    ("voting", "weights", "expected"),
    [
        ("hard", None, 1 / 3),  # one of three votes
        ("hard", [1, 1, 4], 4 / 6),
        ("soft", None, (0.4 + 0.4 + 0.95) / 3),
        ("soft", [2, 1, 1], (0.8 + 0.4 + 0.95) / 4),
        ("median", None, 0.4),
    ],
)
def test_votes_means_and_medians(voting, weights, expected):
    model = VotingClassifier(fixed_members(0.4, 0.4, 0.95), voting=voting, weights=weights)
    model.fit(ROWS, LABELS)
    assert_allclose(model.predict_proba(ROWS)[:, 1], expected)
    assert_array_equal(model.predict(ROWS), int(expected > 0.5))


def test_equal_votes_go_to_the_first_class():
    model = VotingClassifier(fixed_members(0.1, 0.9), weights=[0.1, 0.1]).fit(ROWS, LABELS)
    assert set(model.predict(ROWS)) == {0}
