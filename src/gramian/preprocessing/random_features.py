"""Random features: a random linear map with an activation function."""

from collections.abc import Callable
from hashlib import blake2b
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from gramian.base.fields import KW_ONLY, Count, Positive, Seed, params
from gramian.base.inputs.feature_names import as_names, check_terms, names_of_inputs
from gramian.base.inputs.gate import check_fit, check_new
from gramian.base.kinds import Transformer
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Data, Matrix, Table, is_sparse

ACTIVATIONS: dict[str, Callable[[Matrix], Matrix]] = {
    "relu": lambda a: np.maximum(a, 0),
    "tanh": np.tanh,
    "sigmoid": expit,
    "cosine": np.cos,
    "linear": lambda a: a,
}


@params
class RandomFeatures(Transformer):
    """Map rows by a random linear map and an activation function, or to noise.

    Column j is ::

        phi_j(x) = h(w_j . x + b_j),   w_j ~ N(0, (s^2 / d) I),   b_j ~ N(0, s^2),

    with h the rectifier max(a, 0), tanh, the sigmoid, the cosine or the identity: a network with a
    random first layer. With ``kind='noise'`` the columns are N(0, s^2) and independent of the
    target; they depend only on the seed and the row, so equal rows get equal noise. A larger
    n_components only adds columns, which helps to study the interpolation threshold D = n of least
    squares. For features that approximate a given kernel see `gramian.kernel_approximation`.

    Parameters
    ----------
    n_components
        Number of columns, D.
    kind
        The activation function h, or 'noise'.
    scale
        The standard deviation s.
    include_input
        Whether to add the columns of X as the first columns.
    random_state
        Seed or generator for the weights or the noise.

    Attributes
    ----------
    weights_
        The w_j, shape (D, d); no rows for noise.
    offsets_
        The b_j, shape (D,); none for noise.
    seed_
        The seed drawn.
    n_features_in_
        Number of features seen in `fit`, d.

    Examples
    --------
    >>> features = RandomFeatures(50, random_state=0).fit([[0.0], [1.0]])
    >>> features.transform([[0.5]]).shape
    (1, 50)
    """

    parametric = True

    n_components: Count = 100
    _: KW_ONLY
    kind: Literal["relu", "tanh", "sigmoid", "cosine", "linear", "noise"] = "relu"
    scale: Positive = 1.0
    include_input: bool = False
    random_state: Seed = None

    takes_sparse = True

    def fit(self, X: Table, y: object = None) -> Self:
        """Draw the random weights."""
        X = check_fit(self, X)
        d = X.shape[1]
        self.seed_ = seed_of(self.random_state)
        rows = 0 if self.kind == "noise" else self.n_components
        drawn = stream(self.seed_).standard_normal((rows, d + 1)) * float(self.scale)
        self.weights_ = (drawn[:, :d] / np.sqrt(d)).astype(X.dtype)
        self.offsets_ = drawn[:, d].astype(X.dtype)
        return self

    def transform(self, X: Table) -> Matrix:
        """Return the random features of each row, a dense array of shape (n, D)."""
        X = check_new(self, X)
        if self.kind == "noise":
            columns = self._noise(X)
        else:
            weights, offsets = self.weights_.astype(X.dtype), self.offsets_.astype(X.dtype)
            with np.errstate(over="ignore", invalid="ignore"):
                sums = X @ weights.T + offsets
            check_terms(self, sums)
            columns = ACTIVATIONS[self.kind](sums)
        if not self.include_input:
            return columns
        return np.hstack([X.toarray() if is_sparse(X) else X, columns])

    def get_feature_names_out(
        self, input_features: npt.ArrayLike | None = None
    ) -> npt.NDArray[Any]:
        """Return names such as ``relu0``, after the columns of X if they are included."""
        x = names_of_inputs(self, input_features)
        names = [f"{self.kind}{j}" for j in range(self.n_components)]
        return as_names([*x, *names] if self.include_input else names)

    def _noise(self, X: Data) -> Matrix:
        """Return noise for each row, from a random stream keyed by the digest of the row."""
        noise = np.empty((X.shape[0], self.n_components), dtype=X.dtype)
        # One generator, reset to ``stream(seed, digest)`` for each row: creating new ones is slow.
        philox = np.random.Philox(key=self.seed_)
        state, rng = philox.state, np.random.Generator(philox)
        for i, out in enumerate(noise):
            row = X[[i]].toarray()[0] if is_sparse(X) else X[i]
            # + 0.0 turns -0.0 into 0.0, which is the same row.
            digest = blake2b((row + 0.0).tobytes(), digest_size=8).digest()
            state["state"]["counter"][2] = int.from_bytes(digest, "little")
            philox.state = state
            out[:] = rng.standard_normal(len(out))
        noise *= X.dtype.type(self.scale)
        return noise
