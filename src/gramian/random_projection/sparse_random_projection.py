"""Random projection by a sparse matrix."""

from numbers import Real
from typing import Annotated, Any, Literal

import numpy as np
import scipy.sparse as sp

from gramian.base.fields import KW_ONLY, Count, Interval, Seed, params
from gramian.base.randomness import stream
from gramian.base.types import Table
from gramian.random_projection.projection_base import RandomProjection, scaled_signs


@params
class SparseRandomProjection(RandomProjection):
    """Sparse random projection: most entries of R are 0, the others have random signs.

    R_ij is +- sqrt(1 / (s k)) with probability s / 2 each. With s = 1 / sqrt(d) lengths are
    preserved as well as by Gaussian directions, unless a few columns dominate (Li, Hastie and
    Church, 2006).

    Parameters
    ----------
    n_components
        Number of directions, k; 'auto' is `johnson_lindenstrauss_min_dim` of the rows and `eps`.
    density
        Fraction s of nonzero entries; 'auto' is 1 / sqrt(d).
    eps
        Change of a squared distance that 'auto' allows.
    dense_output
        Whether sparse rows give a dense result.
    compute_inverse_components
        Whether to store the pseudoinverse, for `inverse_transform`.
    random_state
        Seed or generator.

    Attributes
    ----------
    n_components_
        Number of directions.
    components_
        R as CSR, shape (k, d).
    inverse_components_
        Its pseudoinverse, shape (d, k), if requested.
    density_
        Fraction of nonzero entries.
    n_features_in_
        Number of features seen in `fit`, d.

    Examples
    --------
    >>> X = np.eye(100)
    >>> model = SparseRandomProjection(20, random_state=0).fit(X)
    >>> model.density_, model.transform(X).shape
    (0.1, (100, 20))
    """

    n_components: Count | Literal["auto"] = "auto"
    _: KW_ONLY
    density: Annotated[float, Interval(Real, 0, 1, open_low=True)] | Literal["auto"] = "auto"
    eps: Annotated[float, Interval(Real, 0, 1, open_low=True, open_high=True)] = 0.1
    dense_output: bool = False
    compute_inverse_components: bool = False
    random_state: Seed = None

    def transform(self, X: Table) -> Any:
        """Return the projected rows.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d)
            The rows.

        Returns
        -------
        Z : array of shape (n, n_components_), or CSR if X is sparse and not dense_output
        """
        Z = super().transform(X)
        return Z.toarray() if sp.issparse(Z) and self.dense_output else Z

    def _directions(self, k: int, d: int, seed: int) -> sp.csr_array:
        self.density_ = float(1 / np.sqrt(d) if self.density == "auto" else self.density)
        return scaled_signs(k, d, self.density_, stream(seed))
