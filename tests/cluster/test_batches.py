"""When mini-batch k-means has converged, and what goes from batch to batch."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from gramian import MiniBatchKMeans
from gramian.cluster.batches import Convergence

TWO = np.repeat([[0.0, 0.0], [9.0, 9.0]], 50, axis=0)


def test_the_first_step_never_stops():
    assert not Convergence(tol=1.0, patience=0, fraction=1.0).reached(1, 5.0, moved=0.0)


def test_centers_that_rest_have_converged():
    rule = Convergence(tol=0.1, patience=None, fraction=1.0)
    assert [rule.reached(step, 5.0 - step, moved) for step, moved in ((1, 9), (2, 0.2))] == [
        False,
        False,
    ]
    assert rule.reached(3, 2.0, moved=0.1)
    assert rule.reason == "small centers change"


def test_it_waits_for_an_improvement_of_the_smoothed_objective():
    rule = Convergence(tol=0.0, patience=2, fraction=0.25)  # moves halfway to each objective
    objectives = [9.0, 8.0, 4.0, 7.0, 6.6, 6.6]  # smoothed from the second: 8, 6, 6.5, 6.55, ...
    stops = [rule.reached(step, value, 1.0) for step, value in enumerate(objectives, start=1)]
    assert stops == [False, False, False, False, True, True]
    assert rule.reason == "lack of improvement in inertia"


def test_the_state_goes_from_chunk_to_chunk():
    """A pass over the chunks is the pass over one chunk of the same rows."""
    rows = TWO[np.random.default_rng(0).permutation(100)]
    model = MiniBatchKMeans(2, batch_size=20, max_iter=3, random_state=0, max_no_improvement=None)
    one = MiniBatchKMeans(**model.get_params()).fit_chunks([rows])
    many = model.fit_chunks([rows[:30], rows[30:37], rows[37:]])
    assert_array_equal(many.cluster_centers_, one.cluster_centers_)
    assert many.n_steps_ == one.n_steps_ == 15
    assert_allclose(many.counts_.sum(), 300.0)
