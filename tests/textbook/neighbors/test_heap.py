"""The binary heap."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramian.textbook.neighbors import BinaryHeap


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=40), st.integers(1, 10))
def test_a_heap_of_k_keeps_the_k_least(values, k):
    """NN-29: the largest of the k least on top is the one to beat."""
    worst_on_top: BinaryHeap[int] = BinaryHeap(largest=True)
    for value in values:
        if len(worst_on_top) < k:
            worst_on_top.push(value)
        elif value < worst_on_top.peek():
            worst_on_top.replace(value)
    kept = [worst_on_top.pop() for _ in range(len(worst_on_top))]
    assert kept[::-1] == sorted(values)[:k]


@given(st.lists(st.tuples(st.sampled_from(["push", "pop", "replace"]), st.integers(-9, 9))),
       st.booleans(), st.lists(st.integers(-9, 9), max_size=20))  # fmt: skip
def test_a_heap_behaves_like_a_sorted_list(steps, largest, start):
    heap, plain = BinaryHeap(start, largest=largest), sorted(start, reverse=largest)
    for name, value in steps:
        if name == "push":
            heap.push(value)
            plain = sorted([*plain, value], reverse=largest)
        elif plain and name == "pop":
            assert heap.pop() == plain.pop(0)
        elif plain:
            assert heap.replace(value) == plain[0]
            plain = sorted([*plain[1:], value], reverse=largest)
        assert len(heap) == len(plain)
        assert not plain or heap.peek() == plain[0]


def test_each_step_of_a_heap_costs_the_logarithm():
    class Counted(float):
        compared = 0

        def __lt__(self, other):
            Counted.compared += 1
            return float(self) < float(other)

    heap = BinaryHeap(Counted(v) for v in np.random.default_rng(0).normal(size=4096))
    assert Counted.compared <= 2 * 4096  # made in O(n)
    for step in (lambda: heap.push(Counted(-9.0)), heap.pop, lambda: heap.replace(Counted(9.0))):
        Counted.compared = 0
        step()
        assert Counted.compared <= 2 * 13
    with pytest.raises(ValueError, match="must not be empty"):
        BinaryHeap().pop()
