"""Mixtures of distributions."""

from gramian.mixture.gaussian_mixture import GaussianMixture

__all__ = ["GaussianMixture"]
