"""Parts that one task visits: many at first, few at the end of a pass.

A task of a cluster costs milliseconds beside its work, so that few should be made; and all workers
should end a pass at about the same time, so that the last should be small. Each batch takes a share
of the parts that are left, 1 / 2W for W threads (guided self-scheduling, Polychronopoulos and Kuck
1987), and does not go beyond a group, whose results are merged together.
"""


def batches(parts: int, threads: int, group: int) -> list[range]:
    """Cut the numbers of parts into batches, in order, none across a multiple of the group.

    Parameters
    ----------
    parts
        Number of parts.
    threads
        Number of threads of all workers together.
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
