"""Markov chains."""

import numpy as np
import pytest
from sklearn.model_selection import TimeSeriesSplit

import gramian
from gramian.base.errors import DataError
from gramian.graphical_model import MarkovChain

P = np.array([[0.9, 0.1, 0.0], [0.4, 0.4, 0.2], [0.1, 0.3, 0.6]])


def test_counts_of_steps_are_the_maximum_of_the_likelihood(rng):
    path = MarkovChain(P).sample(400, random_state=0)
    chain = MarkovChain.fit([path, [0, 1]])
    counts = np.zeros((3, 3))
    for a, b in zip([*path[:-1], 0], [*path[1:], 1], strict=True):
        counts[a, b] += 1
    np.testing.assert_allclose(chain.transitions, counts / counts.sum(axis=1, keepdims=True))
    best = chain.log_likelihood(path[1:])
    for _ in range(20):
        other = 0.9 * chain.transitions + 0.1 * rng.dirichlet(np.ones(3), size=3)
        assert MarkovChain(other).log_likelihood(path[1:]) < best + np.log(3)


def test_log_likelihood_is_the_sum_of_its_steps():
    chain = MarkovChain(P, list("abc"), [0.5, 0.5, 0.0])
    assert chain.log_likelihood("abc") == pytest.approx(np.log(0.5 * 0.1 * 0.2))
    assert chain.log_likelihood("ac") == -np.inf
    assert chain.log_likelihood([]) == 0


def test_stationary_distribution_stays_and_is_approached():
    chain = MarkovChain(P)
    pi = chain.stationary_distribution()
    np.testing.assert_allclose(pi @ P, pi)
    np.testing.assert_allclose(chain.forecast(2, steps=200), pi)
    path = np.array(chain.sample(20_000, random_state=1))
    np.testing.assert_allclose(np.bincount(path) / len(path), pi, atol=0.03)


def test_transient_states_have_probability_zero():
    absorbing = MarkovChain([[0.5, 0.5], [0.0, 1.0]])
    np.testing.assert_allclose(absorbing.stationary_distribution(), [0.0, 1.0])
    with pytest.raises(ValueError, match=r"not unique; the groups of states \[\[0\], \[1\]\]"):
        MarkovChain(np.eye(2)).stationary_distribution()
    np.testing.assert_allclose(MarkovChain([[0, 1], [1, 0]]).stationary_distribution(), [0.5, 0.5])


def test_trained_on_the_past_tested_on_the_future():
    path = MarkovChain(P).sample(3000, random_state=2)
    *_, (past, future) = TimeSeriesSplit(n_splits=3).split(path)
    assert past.max() < future.min()
    chain = MarkovChain.fit([[path[i] for i in past]], pseudo_count=1.0)
    later = [path[i] for i in future]
    uniform = MarkovChain(np.full((3, 3), 1 / 3))
    assert chain.log_likelihood(later) > uniform.log_likelihood(later)


def test_pseudo_counts_and_states_never_left():
    chain = MarkovChain.fit([["a", "b"]], states=["a", "b", "c"])
    np.testing.assert_allclose(chain.transitions[0], [0, 1, 0])
    np.testing.assert_allclose(chain.transitions[1:], 1 / 3)
    smooth = MarkovChain.fit([["a", "b"]], pseudo_count=1.0)
    np.testing.assert_allclose(smooth.transitions[0], [1 / 3, 2 / 3])


def test_bad_matrices_and_states_are_refused():
    with pytest.raises(ValueError, match="square matrix"):
        MarkovChain([[0.5, 0.5]])
    with pytest.raises(ValueError, match=r"row 1 sums to 0\.9\. Divide"):
        MarkovChain([[0.5, 0.5], [0.5, 0.4]])
    with pytest.raises(ValueError, match="initial must be probabilities"):
        MarkovChain(P, initial=[0.5, 0.5, 0.5])
    with pytest.raises(ValueError, match="different labels"):
        MarkovChain(P, ["a", "a", "b"])
    with pytest.raises(ValueError, match="is not a state"):
        MarkovChain(P).log_likelihood([0, 7])
    with pytest.raises(ValueError, match="list of sequences"):
        MarkovChain.fit("abab")
    with pytest.raises(ValueError, match="at least one state"):
        MarkovChain.fit([[]])
    with pytest.raises(ValueError, match="pseudo_count"):
        MarkovChain.fit([[1]], pseudo_count=np.nan)


def test_a_forecast_starts_from_a_state_not_a_distribution():
    chain = MarkovChain([[0.9, 0.1], [0.5, 0.5]])
    with pytest.raises(ValueError, match=r"\[1, 0\] is not a state"):
        chain.forecast([1, 0], 3)


def test_a_model_file_holds_the_chain(tmp_path):
    chain = MarkovChain.fit([np.array(["a", "b", "b", "a", "c"])])
    copy = gramian.load(gramian.save(chain, tmp_path / "chain.gram"))
    assert copy.states == list(chain.states)
    np.testing.assert_array_equal(copy.transitions, chain.transitions)
    np.testing.assert_array_equal(copy.initial, chain.initial)


def test_one_flat_sequence_is_refused():
    with pytest.raises(DataError, match=r"a list of sequences; wrap it in a list"):
        MarkovChain.fit([0, 1, 1, 0])
