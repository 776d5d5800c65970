"""Noise that a denoising autoencoder learns to remove (Vincent et al. 2010, section 3.3).

``masking``: each number is 0 with probability v. ``gaussian``: noise of deviation v is added.
``salt_and_pepper``: each number is, with probability v, replaced by the least or the largest number
of X, either with probability 1/2.
"""

from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_array

from gramian.base.errors import ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.neural_network.torch_training.tensors import Tensor, torch_module

Corruption: TypeAlias = Literal["masking", "gaussian", "salt_and_pepper"]
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
        "masking", "gaussian" or "salt_and_pepper".
    noise_level
        Fraction of the numbers that are replaced, or the standard deviation of "gaussian".
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
    """
    check_noise("corrupt", corruption, noise_level)
    table = check_array(X, dtype=[np.float64, np.float32])
    rng = stream(seed_of(random_state))
    if corruption == "gaussian":
        return (table + noise_level * rng.standard_normal(table.shape)).astype(table.dtype)
    drawn = rng.random(table.shape)
    if corruption == "masking":
        return table * (drawn >= noise_level)
    low, high = table.min(), table.max()
    noisy = np.where(drawn < noise_level, low, table)
    return np.where(drawn < noise_level / 2, high, noisy).astype(table.dtype)


def check_noise(owner: str, corruption: Any, noise_level: Any) -> None:
    """Raise unless the kind is known and the level fits it."""
    if corruption not in KINDS:
        raise ParameterError(
            f"{owner}: corruption must be one of {', '.join(map(repr, KINDS))}; got {corruption!r}."
        )
    if not noise_level >= 0 or (corruption != "gaussian" and noise_level >= 1):
        raise ParameterError(
            f"{owner}: noise_level must be a fraction in [0, 1) for {corruption!r}, or a deviation "
            f">= 0 for 'gaussian'; got {noise_level!r}."
        )


def corrupted(
    x: Tensor, corruption: Corruption, level: float, limits: tuple[float, float], generator: Any
) -> Tensor:
    """Return a tensor with noise; `limits` are the least and the largest number of X."""
    torch = torch_module()
    if level == 0:
        return x
    if corruption == "gaussian":
        return torch.empty_like(x).normal_(0.0, level, generator=generator).add_(x)
    drawn = torch.empty_like(x).uniform_(generator=generator)
    if corruption == "masking":
        return x * (drawn >= level)
    low, high = limits
    noisy = x.masked_fill(drawn < level, low)
    return noisy.masked_fill_(drawn < level / 2, high)
