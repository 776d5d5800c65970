"""Random projection by a Gaussian matrix."""

from numbers import Real
from typing import Annotated, Literal

import numpy as np

from gramian.base.fields import KW_ONLY, Count, Interval, Seed, params
from gramian.base.randomness import stream
from gramian.base.types import Floats
from gramian.random_projection.projection_base import RandomProjection


@params
class GaussianRandomProjection(RandomProjection):
    """Gaussian random projection: z = R x with R_ij ~ N(0, 1 / k).

    Squared lengths and distances are preserved on average, and within 1 +- eps with probability
    1 - 2 delta for k >= 2 ln(1 / delta) / (eps^2 / 2 - eps^3 / 3), for any number of columns
    (Dasgupta and Gupta, 2003).

    Parameters
    ----------
    n_components
        Number k of directions; 'auto' is `johnson_lindenstrauss_min_dim` of the rows and `eps`.
    eps
        Relative change of a squared distance that 'auto' allows.
    compute_inverse_components
        Whether to store the pseudoinverse, for `inverse_transform`.
    random_state
        Seed or generator for the directions.

    Attributes
    ----------
    n_components_
        Number of directions.
    components_
        Directions R, shape (k, d).
    inverse_components_
        Pseudoinverse of R, shape (d, k), if requested.
    n_features_in_
        Number of features seen in `fit`, d.

    Examples
    --------
    >>> X = np.eye(3)
    >>> GaussianRandomProjection(2, random_state=0).fit_transform(X).shape
    (3, 2)
    """

    n_components: Count | Literal["auto"] = "auto"
    _: KW_ONLY
    eps: Annotated[float, Interval(Real, 0, 1, open_low=True, open_high=True)] = 0.1
    compute_inverse_components: bool = False
    random_state: Seed = None

    def _directions(self, k: int, d: int, seed: int) -> Floats:
        return np.asarray(stream(seed).standard_normal((k, d)) / np.sqrt(k))
