"""Random projection on a random subspace."""

from numbers import Real
from typing import Annotated, Literal

import numpy as np

from gramian.base.errors import ParameterError
from gramian.base.fields import KW_ONLY, Count, Interval, Seed, params
from gramian.base.types import Floats
from gramian.random_projection.projection_base import RandomProjection
from gramian.random_projection.random_directions import random_subspace


@params
class OrthonormalRandomProjection(RandomProjection):
    """Orthonormal random projection: onto a uniform random subspace, scaled by sqrt(d / k).

    The directions are normal vectors made orthonormal (Gram-Schmidt), which is the projection of
    Johnson and Lindenstrauss. Its distortion is slightly smaller than that of
    `GaussianRandomProjection`; with k = d it is a rotation, which preserves every distance.

    Parameters
    ----------
    n_components
        Number of directions, k, at most d; 'auto' is `johnson_lindenstrauss_min_dim`.
    eps
        Change of a squared distance that 'auto' allows.
    compute_inverse_components
        Whether to store the pseudoinverse, for `inverse_transform`.
    random_state
        Seed or generator.

    Attributes
    ----------
    n_components_
        Number of directions.
    components_
        Directions, shape (k, d), with rows of length sqrt(d / k).
    inverse_components_
        Its pseudoinverse, shape (d, k), if requested.
    n_features_in_
        Number of features seen in `fit`, d.

    Examples
    --------
    >>> X = np.eye(3)
    >>> Z = OrthonormalRandomProjection(3, random_state=0).fit_transform(X)
    >>> (Z @ Z.T).round(12) + 0.0
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """

    n_components: Count | Literal["auto"] = "auto"
    _: KW_ONLY
    eps: Annotated[float, Interval(Real, 0, 1, open_low=True, open_high=True)] = 0.1
    compute_inverse_components: bool = False
    random_state: Seed = None

    def _directions(self, k: int, d: int, seed: int) -> Floats:
        if k > d:
            raise ParameterError(
                f"OrthonormalRandomProjection: n_components must be at most the number of columns, "
                f"{d}, for orthogonal directions; got {k}."
            )
        return np.asarray(random_subspace(k, d, random_state=seed) * np.sqrt(d / k))
