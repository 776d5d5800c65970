"""One 64-bit seed per fit, and counter-based streams drawn from it.

The i-th number of a stream is a pure function of (seed, stream, i), so what is drawn does not
depend on threads, chunks or the order of the work. The native core uses the same generator
(Philox: Salmon, Moraes, Dror and Shaw, SC 2011).
"""

from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state


def seed_of(random_state: object) -> int:
    """Return one 64-bit seed from scikit-learn's ``random_state``.

    An integer is its own seed; a ``RandomState`` or ``Generator`` gives the next number it
    draws; ``None`` draws from NumPy's global state, as scikit-learn does.

    Examples
    --------
    >>> seed_of(7)
    7
    """
    if isinstance(random_state, Integral):
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    return int(check_random_state(random_state).randint(2**63, dtype=np.int64))


def stream(seed: int, number: int = 0) -> np.random.Generator:
    """Return stream ``number`` of a seed as a NumPy generator.

    Examples
    --------
    >>> bool(stream(7, 1).random() == stream(7, 1).random())
    True
    """
    counter = np.array([0, 0, number, 0], dtype=np.uint64)  # large integers would become floats
    return np.random.Generator(np.random.Philox(key=seed, counter=counter))
