"""Noise that a denoising autoencoder learns to remove (Vincent et al. 2010, section 3.3).

``masking``: each number is 0 with probability v. ``gaussian``: noise of deviation v is added.
``salt_and_pepper``: each number is, with probability v, replaced by the smallest or the largest
number of X, each with probability 1/2. A function takes the rows, v and a generator of random
numbers and returns the rows with noise.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_array

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import Function
from gramian.base.randomness import seed_of, stream

if TYPE_CHECKING:
    from gramian.base.types import Floats, Matrix

Corruption: TypeAlias = Literal["masking", "gaussian", "salt_and_pepper"] | Function
KINDS = ("masking", "gaussian", "salt_and_pepper")


def corrupt(
    X: npt.ArrayLike,
    corruption: Corruption = "masking",
    noise_level: float = 0.3,
    *,
    random_state: Any = None,
) -> npt.NDArray[Any]:
    """Return X with noise, as a denoising autoencoder sees it.

    Parameters
    ----------
    X
        Rows, shape (n, d).
    corruption
        "masking", "gaussian" or "salt_and_pepper"; or a function ``(X, noise_level, generator)``
        that returns X with noise drawn from NumPy's generator.
    noise_level
        Fraction of the numbers that are replaced, the standard deviation of "gaussian", or what
        the function is given.
    random_state
        Seed or generator for the noise.

    Returns
    -------
    noisy : array of shape (n, d)

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.neural_network import corrupt
    >>> corrupt(np.ones((2, 5)), "masking", 0.4, random_state=0)
    array([[0., 0., 0., 1., 1.],
           [0., 1., 1., 0., 0.]])
    >>> def wet(X, level, rng):                   # blots of three neighbouring numbers
    ...     start = rng.integers(X.shape[1] - 2, size=(len(X), 1))
    ...     return np.where(abs(np.arange(X.shape[1]) - start - 1) <= 1, level, X)
    >>> corrupt(np.ones((2, 5)), wet, 0.5, random_state=0)
    array([[0.5, 0.5, 0.5, 1. , 1. ],
           [0.5, 0.5, 0.5, 1. , 1. ]])
    """
    check_noise("corrupt", corruption, noise_level)
    table: Matrix = check_array(X, dtype=[np.float64, np.float32])
    rng = stream(seed_of(random_state))
    if callable(corruption):
        return _by_function(table, corruption, noise_level, rng)
    if corruption == "gaussian":
        noisy = table + noise_level * rng.standard_normal(table.shape)
        return np.asarray(noisy, dtype=table.dtype)
    drawn: Floats = rng.random(table.shape)
    if corruption == "masking":
        return np.asarray(table * (drawn >= noise_level))
    low, high = table.min(), table.max()
    noisy = np.where(drawn < noise_level, low, table)
    return np.asarray(np.where(drawn < noise_level / 2, high, noisy), dtype=table.dtype)


def check_noise(owner: str, corruption: object, noise_level: float) -> None:
    """Raise unless the kind is known and the level is valid for it."""
    if callable(corruption):
        if not 0 <= noise_level < np.inf:
            raise ParameterError(
                f"{owner}: noise_level must be a finite number >= 0; got {noise_level!r}."
            )
        return
    if corruption not in KINDS:
        raise ParameterError(
            f"{owner}: corruption must be one of {', '.join(map(repr, KINDS))}, or a function of "
            f"the rows, the noise level and a generator; got {corruption!r}."
        )
    if not noise_level >= 0 or (corruption != "gaussian" and noise_level >= 1):
        raise ParameterError(
            f"{owner}: noise_level must be a fraction in [0, 1) for {corruption!r}, or a deviation "
            f">= 0 for 'gaussian'; got {noise_level!r}."
        )


def noise_of(seed: int) -> np.random.Generator:
    """Return the random generator for the noise of a fit; SFC64 is NumPy's fastest."""
    return np.random.Generator(np.random.SFC64(seed))


def corrupted(
    x: npt.NDArray[Any],
    corruption: Corruption,
    level: float,
    limits: tuple[float, float],
    noise: np.random.Generator,
) -> npt.NDArray[Any]:
    """Return rows with noise; `limits` are the smallest and the largest number of X.

    16 random bits decide whether a number is replaced, so probabilities are multiples of 2^-16;
    that takes a fifth of the time of drawing fractions.
    """
    if callable(corruption):
        return _by_function(x, corruption, level, noise)
    if level == 0:
        return x
    if corruption == "gaussian":
        dtype: Any = x.dtype
        return np.asarray(x + x.dtype.type(level) * noise.standard_normal(x.shape, dtype=dtype))
    drawn = noise.integers(2**16, size=x.shape, dtype=np.uint16)
    hit = drawn < round(level * 2**16)
    if corruption == "masking":
        return x * ~hit
    low, high = (x.dtype.type(limit) for limit in limits)
    return np.where(hit, np.where(drawn < round(level * 2**15), high, low), x)


def _by_function(
    rows: npt.NDArray[Any],
    function: Callable[..., Any],
    level: float,
    noise: np.random.Generator,
) -> npt.NDArray[Any]:
    """Return the noisy rows that a function makes from a copy of the rows."""
    noisy = np.asarray(function(rows.copy(), level, noise))
    if noisy.shape != rows.shape or not np.isfinite(noisy).all():
        raise DataError(
            f"corruption: the function must return finite numbers of the shape of the rows, "
            f"{rows.shape}; got shape {noisy.shape}."
        )
    return np.ascontiguousarray(noisy, dtype=rows.dtype)
