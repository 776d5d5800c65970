"""Batches of parts for one task each: large at first, small at the end of a pass.

A task on a cluster has an overhead of milliseconds, so there should be few; and all workers should
end a pass at about the same time, so the last tasks should be small. Each batch takes the fraction
1 / 2W of the remaining parts, for W threads (guided self-scheduling, Polychronopoulos and Kuck
1987), and stays within a group, whose results are merged together.
"""


def batches(parts: int, threads: int, group: int) -> list[range]:
    """Cut the part numbers into batches, in order; no batch crosses a multiple of `group`.

    Parameters
    ----------
    parts
        Number of parts.
    threads
        Total number of threads of all workers.
    group
        Maximum number of parts in one batch.

    Returns
    -------
    batches : list of range

    Examples
    --------
    >>> [len(batch) for batch in batches(40, 2, 16)]
    [10, 6, 6, 4, 3, 2, 1, 2, 1, 1, 1, 1, 1, 1]
    """
    found: list[range] = []
    at = 0
    while at < parts:
        share = max((parts - at) // (2 * max(threads, 1)), 1)
        end = min(at + share, (at // group + 1) * group, parts)
        found.append(range(at, end))
        at = end
    return found
