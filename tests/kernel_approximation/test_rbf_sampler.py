"""Random Fourier features: expectation and variance of the kernel."""

import numpy as np
import scipy.sparse as sp

from gramian.kernel_approximation import RBFSampler
from gramian.kernels import RBF

rng = np.random.default_rng(0)
X = rng.normal(size=(15, 3))


def test_products_are_near_the_kernel_and_nearer_with_more_features():
    errors = []
    for count in (100, 10_000):
        phi = RBFSampler(gamma=0.4, n_components=count, random_state=0).fit_transform(X)
        errors.append(np.abs(phi @ phi.T - RBF(0.4)(X)).max())
    assert errors[1] < 0.06
    assert errors[1] < errors[0] / 3


def test_scale_sparse_and_single_precision():
    scaled = RBFSampler(gamma="scale", n_components=20, random_state=0).fit(X)
    named = RBFSampler(gamma=1 / (3 * X.var()), n_components=20, random_state=0).fit(X)
    np.testing.assert_allclose(scaled.random_weights_, named.random_weights_)
    sparse = RBFSampler(gamma="scale", n_components=20, random_state=0).fit(sp.csr_array(X))
    np.testing.assert_allclose(sparse.transform(sp.csr_array(X)), scaled.transform(X), atol=1e-10)
    assert scaled.fit(X.astype(np.float32)).transform(X.astype(np.float32)).dtype == np.float32
    assert scaled.get_feature_names_out()[-1] == "rbfsampler19"
