"""Reading ahead: in order, not too far, and errors where they belong."""

import threading
import time

import pytest

from gramian import _native
from gramian.scale.read_ahead import read_ahead


def test_parts_come_in_order_and_none_too_early():
    begun = []

    def read(part):
        begun.append(part)
        time.sleep(0.01 * (3 - part % 3))
        return part

    for number, part in enumerate(read_ahead(read, range(9), depth=2)):
        assert part == number
        assert max(begun) <= number + 2
    assert sorted(begun) == list(range(9))


def test_readers_use_one_thread_each_and_not_the_callers():
    def read(part):
        return threading.get_ident(), _native.num_threads()

    found = list(read_ahead(read, range(4)))
    assert {threads for _, threads in found} == {1}
    assert threading.get_ident() not in {ident for ident, _ in found}


def test_an_error_comes_at_its_part_and_a_pass_may_be_left():
    def read(part):
        if part == 2:
            raise ValueError("part 2")
        return part

    found = read_ahead(read, range(5))
    assert [next(found), next(found)] == [0, 1]
    with pytest.raises(ValueError, match="part 2"):
        next(found)
    left = read_ahead(lambda part: part, range(100))
    next(left)
    left.close()
    assert list(read_ahead(read, [])) == []
