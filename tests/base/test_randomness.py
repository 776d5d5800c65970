"""Seeds and streams."""

import numpy as np

from gramian.base.randomness import seed_of, stream


def test_an_integer_is_its_own_seed():
    assert seed_of(12) == seed_of(np.int64(12)) == 12


def test_a_random_state_gives_its_next_number():
    state = np.random.RandomState(0)
    assert seed_of(state) != seed_of(state)
    assert seed_of(np.random.RandomState(0)) == seed_of(np.random.RandomState(0))


def test_a_generator_gives_its_next_number():
    assert seed_of(np.random.default_rng(0)) == seed_of(np.random.default_rng(0))


def test_none_draws_from_the_global_state():
    np.random.seed(3)  # noqa: NPY002 - what scikit-learn's users do
    first = seed_of(None)
    np.random.seed(3)  # noqa: NPY002
    assert seed_of(None) == first != seed_of(None)


def test_streams_of_a_seed_differ_and_repeat():
    draws = [stream(5, number).random(4).tolist() for number in (0, 1, 2, 0)]
    assert draws[0] == draws[3]
    assert len({tuple(d) for d in draws}) == 3


def test_a_full_64_bit_seed_is_taken():
    assert stream(2**64 - 1).random() != stream(2**63).random()


def test_streams_of_large_numbers_differ():
    draws = {stream(5, 2**64 - k).random() for k in range(1, 6)}
    assert len(draws) == 5
