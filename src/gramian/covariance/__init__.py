"""Covariance estimators, empirical and shrunk, with Mahalanobis distances."""

from gramian.covariance.empirical_covariance import EmpiricalCovariance
from gramian.covariance.ledoit_wolf import LedoitWolf
from gramian.covariance.oas import OAS
from gramian.covariance.shrunk_covariance import ShrunkCovariance

__all__ = ["OAS", "EmpiricalCovariance", "LedoitWolf", "ShrunkCovariance"]
