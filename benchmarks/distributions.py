"""Distributions: log densities of many rows, and maximum likelihood.

The answers are log densities, a covariance matrix divided by n, and the parameters of a Dirichlet
distribution. scikit-learn scores rows by a mixture of one component, whose precision factor is set
beforehand; Newton's method in plain NumPy is what one would write by hand. torch.distributions is
timed where PyTorch is installed.
"""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec

import numpy as np

from benchmarks.harness.workload import Quality, Workload


def normal_rows(*, n, d, seed=0):
    """Rows of a normal distribution with a full covariance, its mean and its covariance."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(d, d))
    S = A @ A.T / d + np.eye(d)
    mean = rng.normal(size=d)
    return mean + rng.standard_normal((n, d)) @ np.linalg.cholesky(S).T, mean, S


def proportions(*, n, k, seed=0):
    """Rows of a Dirichlet distribution."""
    rng = np.random.default_rng(seed)
    return (rng.dirichlet(rng.uniform(0.5, 5, size=k), size=n),)


def total(answer, *_):
    """Sum of the numbers of an answer."""
    return float(np.sum(answer))


def gramian_log_prob(X, mean, S):
    from gramian.distributions import MultivariateGaussian

    return MultivariateGaussian(mean, S).log_prob(X)


def sklearn_log_prob(X, mean, S):
    from sklearn.mixture import GaussianMixture

    model = GaussianMixture(1)
    model.weights_, model.means_, model.covariances_ = np.ones(1), mean[None], S[None]
    model.precisions_cholesky_ = np.linalg.inv(np.linalg.cholesky(S)).T[None]
    return model.score_samples(X)


def scipy_log_prob(X, mean, S):
    from scipy.stats import multivariate_normal

    return multivariate_normal(mean, S).logpdf(X)


def torch_log_prob(X, mean, S):
    import torch

    law = torch.distributions.MultivariateNormal(torch.from_numpy(mean), torch.from_numpy(S))
    return law.log_prob(torch.from_numpy(X)).numpy()


def gramian_fit(X, *_):
    from gramian.distributions import MultivariateGaussian

    return MultivariateGaussian.fit(X).covariance


def sklearn_fit(X, *_):
    from sklearn.covariance import EmpiricalCovariance

    return EmpiricalCovariance(store_precision=False).fit(X).covariance_


def numpy_fit(X, *_):
    return np.cov(X, rowvar=False, bias=True)


def gramian_dirichlet(P):
    from gramian.distributions import Dirichlet

    return Dirichlet.fit(P).alpha


def newton_dirichlet(P):
    """Minka's Newton iteration from the moments, as one would write it."""
    from scipy.special import polygamma, psi

    logs, m, v = np.log(P).mean(axis=0), P.mean(axis=0), P.var(axis=0)
    alpha = m * np.median(m * (1 - m) / v - 1)
    for _ in range(50):
        s = alpha.sum()
        g, q = psi(s) - psi(alpha) + logs, polygamma(1, alpha)
        step = (g + (g / q).sum() / (1 / polygamma(1, s) - (1 / q).sum())) / q
        alpha = alpha + step
        if np.abs(step / alpha).max() < 1e-10:
            break
    return alpha


def shares(*, n, seed=0):
    """Numbers of a beta distribution."""
    return (np.random.default_rng(seed).beta(2.0, 3.5, size=n),)


def gramian_beta(x):
    from gramian.distributions import Beta

    fitted = Beta.fit(x)
    return np.array([fitted.a, fitted.b])


def newton_beta(x):
    """The same Newton iteration on the two proportions."""
    return newton_dirichlet(np.column_stack([x, 1 - x]))


def scipy_beta(x):
    from scipy.stats import beta

    return np.array(beta.fit(x, floc=0, fscale=1)[:2])


LOG_PROB = {
    "gramian": gramian_log_prob,
    "scikit-learn": sklearn_log_prob,
    "SciPy": scipy_log_prob,
} | ({"PyTorch": torch_log_prob} if find_spec("torch") else {})


def _workloads(note, seed):
    """The jobs on the data of one seed."""
    return [
        Workload(
            name=f"normal log density, 1M x 20, full covariance{note}",
            dtype="float64",
            data=partial(normal_rows, n=1_000_000, d=20, seed=seed),
            contenders=LOG_PROB,
            quality=Quality("sum of the log densities", total, better="neither", agree=1e-10),
            aim=5.0,
            flops=2.0 * 1_000_000 * 20 * 20,
        ),
        Workload(
            name=f"normal fit, 1M x 20{note}",
            dtype="float64",
            data=partial(normal_rows, n=1_000_000, d=20, seed=seed),
            contenders={"gramian": gramian_fit, "scikit-learn": sklearn_fit, "NumPy": numpy_fit},
            quality=Quality("sum of the covariance", total, better="neither", agree=1e-10),
            aim=2.0,
            flops=1_000_000 * 20.0 * 20,
        ),
        Workload(
            name=f"Dirichlet fit, 100k x 10{note}",
            dtype="float64",
            data=partial(proportions, n=100_000, k=10, seed=seed),
            contenders={"gramian": gramian_dirichlet, "Newton in NumPy": newton_dirichlet},
            quality=Quality("sum of alpha", total, better="neither", agree=1e-8),
            aim=1.0,
            why="most of the time is spent on the rows' logarithms, in both; SciPy has no fit",
        ),
        Workload(
            name=f"beta fit, 100k{note}",
            dtype="float64",
            data=partial(shares, n=100_000, seed=seed),
            contenders={
                "gramian": gramian_beta,
                "SciPy": scipy_beta,
                "Newton in NumPy": newton_beta,
            },
            quality=Quality("sum of a and b", total, better="neither", agree=1e-6),
            aim=1.0,
            why="most of the time is spent on logarithms, in all libraries",
        ),
    ]


# The second data set was made after all tuning.
WORKLOADS = [*_workloads("", 0), *_workloads(", second data set", 1)]
