"""Batches of parts: every part once, in order, within its group, and small at the end."""

import pytest

from gramian.scale.batches import batches


@pytest.mark.parametrize("parts", [1, 2, 15, 16, 17, 40, 333])
@pytest.mark.parametrize("threads", [0, 1, 2, 7, 1000])
def test_parts_are_visited_once_in_order(parts, threads):
    found = batches(parts, threads, 16)
    assert [part for batch in found for part in batch] == list(range(parts))
    assert all(batch[0] // 16 == batch[-1] // 16 for batch in found)
    assert len(found[-1]) == 1


def test_few_tasks_and_none_too_large_for_the_workers():
    assert len(batches(1000, 2, 16)) < 100
    assert all(len(batch) == 1 for batch in batches(40, 20, 16))
    assert max(len(batch) for batch in batches(40, 4, 16)) == 5
