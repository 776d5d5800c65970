"""Principal components and other decompositions of a table."""

from gramian.decomposition.choose_by_validation import ComponentChoice, choose_by_validation
from gramian.decomposition.number_of_components import (
    components_for_variance,
    minka_mle,
    parallel_analysis,
)
from gramian.decomposition.pca import PCA
from gramian.decomposition.principal_component_regression import principal_component_regression
from gramian.decomposition.randomized_svd import randomized_svd
from gramian.decomposition.textbook_pca import (
    Criteria,
    Deflation,
    deflation_pca,
    projection_criteria,
)
from gramian.decomposition.total_least_squares import OrthogonalFit, total_least_squares

__all__ = [
    "PCA",
    "ComponentChoice",
    "Criteria",
    "Deflation",
    "OrthogonalFit",
    "choose_by_validation",
    "components_for_variance",
    "deflation_pca",
    "minka_mle",
    "parallel_analysis",
    "principal_component_regression",
    "projection_criteria",
    "randomized_svd",
    "total_least_squares",
]
