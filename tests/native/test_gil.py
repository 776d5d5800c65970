"""Other Python threads run while native code works."""

import sys
import threading

import numpy as np
import pytest

from gramian import _native
from tests.native import test_distributed_boosting as distributed

CALLS = 3000
rng = np.random.default_rng(0)


@pytest.fixture
def no_switches():
    """A thread runs only if another one lets go of the lock."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e6)
    yield
    sys.setswitchinterval(before)


def others_run_during(call):
    """Whether another thread ran before the last of many calls ended."""
    gate, seen = threading.Lock(), []
    gate.acquire()

    def wait():
        with gate:
            seen.append(True)

    other = threading.Thread(target=wait)
    other.start()
    gate.release()  # it waits for Python's lock from now on
    for _ in range(CALLS):
        call()
        if seen:
            break
    ran = bool(seen)
    other.join()
    return ran


def grow_distributed():
    """Growth over the rows of one worker, with recorded answers: no callback does any work."""
    gradient = np.sin(np.arange(distributed.N)).astype(np.float32)
    workers = distributed.Workers(gradient, None, [0, distributed.N])
    grower = _native.DistributedGrower(
        distributed.columns(distributed.CODES), distributed.N, distributed.options()
    )
    answers = []

    def kept(answer):
        answers.append(answer)
        return answer

    grower.grow(
        workers.layout,
        True,
        1,
        2,
        lambda *asked: kept(workers.divide(*asked)),
        lambda n: kept(workers.sums(n)),
    )

    def again():
        replies = iter(answers)
        answer = lambda *_: next(replies)  # noqa: E731
        grower.grow(workers.layout, True, 1, 2, answer, answer)

    return again


def stump_search():
    X = rng.standard_normal((20_000, 8))
    codes = np.zeros((1, len(X), 8), dtype=np.uint8)
    codes[0] = X > 0
    starts, n_cuts = np.array([0, 5000, len(X)]), np.ones(8, dtype=np.int32)
    cuts = np.zeros((8, 1))
    return lambda: _native.StumpSearch64(X, starts, codes, cuts, n_cuts)


def lasso_table():
    columns, weights = rng.standard_normal((20, 20_000)), np.ones(20_000)
    return lambda: _native.LassoTable(columns, weights, True)


def of_rows(dtype):
    X = rng.standard_normal((20_000, 10)).astype(dtype)
    return lambda: lambda: _native.Objects.of_rows(X)


OUT, OTHER = np.zeros(200_000), np.ones(200_000)
WRONG = (np.arange(200_000) % 7 == 0).astype(np.uint8)
CALLS_OF = {
    "DistributedGrower.grow": grow_distributed,
    "Objects.of_rows, double": of_rows(np.float64),
    "Objects.of_rows, float": of_rows(np.float32),
    "StumpSearch": stump_search,
    "LassoTable": lasso_table,
    "vector_exp": lambda: lambda: _native.vector_exp(OUT, OTHER),
    "vector_log1p": lambda: lambda: _native.vector_log1p(OUT, OTHER),
    "reweigh": lambda: lambda: _native.reweigh(OTHER, WRONG, 2.0),
    "weight_of_wrong": lambda: lambda: _native.weight_of_wrong(OUT, WRONG),
    "count_draws": lambda: lambda: _native.count_draws(1, 2, len(OUT), None, OUT),
}


@pytest.mark.parametrize("name", CALLS_OF)
def test_others_run_during(name, no_switches):
    assert others_run_during(CALLS_OF[name]())


def test_a_callback_that_raises_ends_the_growth():
    grower = _native.DistributedGrower(
        distributed.columns(distributed.CODES), distributed.N, distributed.options()
    )

    def refuse(*_):
        raise KeyError("no worker")

    layout = distributed.Workers(
        np.ones(distributed.N, dtype=np.float32), None, [0, distributed.N]
    ).layout
    with pytest.raises(KeyError, match="no worker"):
        grower.grow(layout, True, 1, 2, refuse, refuse)
