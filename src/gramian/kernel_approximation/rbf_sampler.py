"""Random Fourier features of the Gaussian kernel."""

from typing import Literal, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.utils.validation import check_is_fitted

from gramian.base.fields import KW_ONLY, Count, Positive, Seed, params
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.kinds import Transformer
from gramian.base.randomness import seed_of, stream
from gramian.base.runtime.blas import run_in_parallel
from gramian.base.types import Matrix, Table
from gramian.kernels.matrix import row_blocks
from gramian.kernels.resolution import gamma_of

_MAX_VALUE = 1e15  # the cosine of a larger value has no correct digit


@params
class RBFSampler(ClassNamePrefixFeaturesOutMixin, Transformer):
    """Random Fourier features of the Gaussian kernel, phi(x) . phi(z) ~ exp(-gamma |x - z|^2).

    ::

        phi_j(x) = sqrt(2 / D) cos(w_j . x + b_j),   w_j ~ N(0, 2 gamma I),   b_j ~ U(0, 2 pi)

    The expectation of the product is the kernel, its standard deviation about 1 / sqrt(D) (Rahimi
    and Recht 2007). Only gamma="scale" depends on the values of X.

    Parameters
    ----------
    gamma
        Rate of the kernel; "scale" means 1 / (d times the variance of X).
    n_components
        Number of features, D.
    random_state
        Seed or generator for the weights.

    Attributes
    ----------
    random_weights_ : array (d, D)
        The w_j, as columns.
    random_offset_ : array (D,)
        The b_j.
    n_features_in_ : int
        Number of features seen in `fit`, d.

    Examples
    --------
    >>> from gramian.kernel_approximation import RBFSampler
    >>> sampler = RBFSampler(gamma=0.5, n_components=20_000, random_state=0)
    >>> phi = sampler.fit_transform([[0.0], [1.0]])
    >>> bool(abs(phi[0] @ phi[1] - np.exp(-0.5)) < 0.02)
    True
    """

    takes_sparse = True
    parametric = True

    _: KW_ONLY
    gamma: Positive | Literal["scale"] = 1.0
    n_components: Count = 100
    random_state: Seed = None

    def fit(self, X: Table, y: object = None) -> Self:
        """Draw the weights.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        check_size(self, "X", table)
        gamma = gamma_of("RBFSampler", self.gamma, table)
        rng = stream(seed_of(self.random_state))
        shape = (table.shape[1], self.n_components)
        weights = np.sqrt(2.0 * gamma) * rng.standard_normal(shape)
        offset = rng.uniform(0.0, 2.0 * np.pi, self.n_components)
        self.random_weights_ = weights.astype(table.dtype)
        self.random_offset_ = offset.astype(table.dtype)
        return self

    def transform(self, X: Table) -> Matrix:
        """Return the features of each row.

        Parameters
        ----------
        X
            Array or CSR matrix (m, d).

        Returns
        -------
        phi : array of shape (m, D)
        """
        check_is_fitted(self)
        rows = check_new(self, X, dtype=self.random_weights_.dtype)
        check_size(self, "X", rows, _MAX_VALUE)
        count = len(self.random_offset_)
        out = np.empty((rows.shape[0], count), dtype=rows.dtype)
        scale = rows.dtype.type(np.sqrt(2.0 / count))

        def place(block: slice) -> None:
            part = out[block]
            if sp.issparse(rows):
                part[...] = rows[block] @ self.random_weights_
            else:
                np.matmul(rows[block], self.random_weights_, out=part)
            part += self.random_offset_
            np.cos(part, out=part)
            part *= scale

        run_in_parallel(2.0 * out.size * rows.shape[1], place, list(row_blocks(len(out), count)))
        return out

    @property
    def _n_features_out(self) -> int:
        return len(self.random_offset_)
