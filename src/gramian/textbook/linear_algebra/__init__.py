"""Linear algebra: subspaces, quadratic forms, matrix identities, derivatives."""

from gramian.textbook.linear_algebra.design_matrix import design_matrix
from gramian.textbook.linear_algebra.identities import (
    ProductRules,
    Sides,
    SpectralRules,
    determinant_lemma,
    product_rules,
    spectral_rules,
    trace_cycle,
    woodbury,
)
from gramian.textbook.linear_algebra.matrix_calculus import (
    dot_gradient,
    inverse_differential,
    log_det_differential,
    log_det_gradient,
    product_differential,
    quadratic_trace_gradient,
    trace_gradient,
)
from gramian.textbook.linear_algebra.orientation import orientation
from gramian.textbook.linear_algebra.push_through import push_through
from gramian.textbook.linear_algebra.quadratic_form import Minimum, QuadraticForm
from gramian.textbook.linear_algebra.subspaces import (
    OrthonormalBasis,
    Subspaces,
    gram_schmidt,
    project,
    project_on_hyperplane,
    subspaces,
)

__all__ = [
    "Minimum",
    "OrthonormalBasis",
    "ProductRules",
    "QuadraticForm",
    "Sides",
    "SpectralRules",
    "Subspaces",
    "design_matrix",
    "determinant_lemma",
    "dot_gradient",
    "gram_schmidt",
    "inverse_differential",
    "log_det_differential",
    "log_det_gradient",
    "orientation",
    "product_differential",
    "product_rules",
    "project",
    "project_on_hyperplane",
    "push_through",
    "quadratic_trace_gradient",
    "spectral_rules",
    "subspaces",
    "trace_cycle",
    "trace_gradient",
    "woodbury",
]
