"""Principal components and other decompositions of a table."""

from gramian.decomposition.choose_by_validation import ComponentChoice, choose_by_validation
from gramian.decomposition.factor_analysis import FactorAnalysis
from gramian.decomposition.fast_ica import FastICA, fastica
from gramian.decomposition.incremental_pca import IncrementalPCA
from gramian.decomposition.kernel_pca import KernelPCA
from gramian.decomposition.nmf import NMF
from gramian.decomposition.non_negative_factorization import non_negative_factorization
from gramian.decomposition.number_of_components import (
    components_for_variance,
    minka_mle,
    parallel_analysis,
)
from gramian.decomposition.pca import PCA
from gramian.decomposition.principal_component_regression import principal_component_regression
from gramian.decomposition.randomized_svd import randomized_svd
from gramian.decomposition.rotation import RotatedLoadings, rotate_loadings
from gramian.decomposition.total_least_squares import OrthogonalFit, total_least_squares
from gramian.decomposition.truncated_svd import TruncatedSVD

__all__ = [
    "NMF",
    "PCA",
    "ComponentChoice",
    "FactorAnalysis",
    "FastICA",
    "IncrementalPCA",
    "KernelPCA",
    "OrthogonalFit",
    "RotatedLoadings",
    "TruncatedSVD",
    "choose_by_validation",
    "components_for_variance",
    "fastica",
    "minka_mle",
    "non_negative_factorization",
    "parallel_analysis",
    "principal_component_regression",
    "randomized_svd",
    "rotate_loadings",
    "total_least_squares",
]
