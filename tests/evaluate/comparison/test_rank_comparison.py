"""Comparison of models by ranks over data sets."""

import numpy as np
import pytest

from gramian.evaluate import compare_ranks, critical_difference

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


def test_nemenyi_matches_scikit_posthocs():
    """scikit-posthocs 0.17.1, posthoc_nemenyi_friedman, of the printed values."""
    printed = DEMSAR.round(3)
    expected = [
        [1.0, 0.08867270928888271, 0.9716864713022134, 0.06168325891240056],
        [0.08867270928888271, 1.0, 0.22669688602641525, 0.9988823439818528],
        [0.9716864713022134, 0.22669688602641525, 1.0, 0.17005163566434356],
        [0.06168325891240056, 0.9988823439818528, 0.17005163566434356, 1.0],
    ]
    np.testing.assert_allclose(compare_ranks(printed).p_values, expected, atol=1e-6)


@pytest.mark.parametrize(
    ("k", "q"),
    [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (8, 3.031), (10, 3.164)],
)
def test_critical_values_of_demsar_table_5(k, q):
    assert critical_difference(k, 10) == pytest.approx(q * np.sqrt(k * (k + 1) / 60), abs=1e-3)


def test_adjusted_pairs_find_at_least_as_much_as_nemenyi(rng):
    scores = rng.normal([0, 0, 1, 1.5, 2], 1, size=(12, 5))
    nemenyi, holm, shaffer = (
        compare_ranks(scores, adjust=adjust).p_values for adjust in ("nemenyi", "holm", "shaffer")
    )
    assert (shaffer <= holm).all()
    assert ((nemenyi <= 0.05) <= (shaffer <= 0.05)).all()
    assert compare_ranks(scores, adjust="holm").critical_difference is None


def test_it_prints_as_sentences():
    text = str(compare_ranks(DEMSAR, NAMES))
    assert text.startswith("Mean ranks over 14 data sets: C4.5+m+cf 1.96, C4.5+m 2.00")
    assert "No significant difference (nemenyi, level 0.05)" in text
    apart = compare_ranks(np.tile([0.1, 0.5, 0.9], (40, 1)))
    assert apart.friedman.p_value == 0
    assert str(apart).endswith("All pairs of models differ significantly (nemenyi, level 0.05).")
