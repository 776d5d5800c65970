"""The example of learning theory runs, and what its text claims holds."""

import numpy as np
import pytest

from tests.docs.test_examples import run


@pytest.mark.slow
def test_bounds_hold_and_the_diagonals_are_missing():
    found = run("plot_learning_theory")
    assert (np.array(found["far"]) <= found["promised"]).all()
    assert len(found["found"]) == 14
    diagonals = [[True, False, False, True], [False, True, True, False]]
    assert not [row for row in found["found"].tolist() if row in diagonals]
    assert found["report"].vc_dimension == 4
