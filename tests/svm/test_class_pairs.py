"""One machine per pair of classes."""

import numpy as np

from gramian import SVC
from gramian.svm.class_pairs import ClassPairs
from gramian.svm.dual_machines import Machines


def test_coefficients_have_the_layout_of_scikit_learn():
    rows = [np.array(r, dtype=np.int32) for r in ([0, 3], [1], [2, 4])]
    pairs = ClassPairs(rows)
    assert pairs.pairs.tolist() == [[0, 1], [0, 2], [1, 2]]
    support, coef, sizes = pairs.coefficients(np.array([1.0, 0, 2, 0, 0, 0, 3, 4, 0, 5]))
    assert support.tolist() == [0, 1, 4]
    assert sizes.tolist() == [1, 1, 1]
    np.testing.assert_array_equal(coef, [[1, -2, -3], [0, 4, -5]])
    found = pairs.rows_of(pairs.pairs[:1])
    np.testing.assert_array_equal(found.sign, [1, 1, -1])
    np.testing.assert_array_equal(pairs.order[found.place], [0, 3, 1])


def test_shared_kernel_values_count_against_the_cache(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 2)), np.repeat([0, 1, 2], 100)
    solve, held = Machines.solve, []

    def watched(self, points, settings, shared=None):
        held.append((4e-6 * sum(block.size for block in shared[0]), settings.cache_size))
        return solve(self, points, settings, shared)

    monkeypatch.setattr(Machines, "solve", watched)
    SVC(cache_size=0.5).fit(X, y)
    ((within, rest),) = held
    assert within > 0
    assert within + rest <= 0.5 + 1e-9
