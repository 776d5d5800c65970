"""Learning theory that can be computed: bounds, growth functions, shattering, simulations."""

from gramian.theory.consistent_hypothesis import (
    Chosen,
    consistent_hypothesis,
    empirical_error,
    least_error_hypothesis,
)
from gramian.theory.dichotomies import dichotomies, halfspace_dichotomies
from gramian.theory.finite_class import AgnosticBound, ConsistentBound
from gramian.theory.fitted_bounds import BoundReport, ErrorBound, bound
from gramian.theory.growth import cover_bound, cover_count, sauer_bound, sauer_shelah
from gramian.theory.hoeffding import (
    ErrorCountDistribution,
    HoeffdingBound,
    error_count_distribution,
    hoeffding_sum,
)
from gramian.theory.known_growth import (
    box_count,
    extremal_points,
    growth_function,
    known_count,
    known_vc_dimension,
)
from gramian.theory.learner_strength import (
    LearnerStrength,
    boosting_bound,
    boosting_rounds,
    learner_strength,
)
from gramian.theory.nearest_neighbor import (
    ConsistencyCurve,
    cover_hart_bound,
    least_bayes_error,
    neighbor_consistency,
)
from gramian.theory.shattering import (
    GrowthReport,
    ShatterCount,
    VCDimension,
    growth_report,
    is_shattered,
    shatter_function,
    vc_dimension,
)
from gramian.theory.simulation import (
    ErrorSimulation,
    PACSimulation,
    simulate_errors,
    simulate_pac,
)
from gramian.theory.uniform import ExcessRiskBound, UniformBound, VapnikChervonenkisBound
from gramian.theory.vc_rate import VCRate, rows_per_dimension

__all__ = [
    "AgnosticBound",
    "BoundReport",
    "Chosen",
    "ConsistencyCurve",
    "ConsistentBound",
    "ErrorBound",
    "ErrorCountDistribution",
    "ErrorSimulation",
    "ExcessRiskBound",
    "GrowthReport",
    "HoeffdingBound",
    "LearnerStrength",
    "PACSimulation",
    "ShatterCount",
    "UniformBound",
    "VCDimension",
    "VCRate",
    "VapnikChervonenkisBound",
    "boosting_bound",
    "boosting_rounds",
    "bound",
    "box_count",
    "consistent_hypothesis",
    "cover_bound",
    "cover_count",
    "cover_hart_bound",
    "dichotomies",
    "empirical_error",
    "error_count_distribution",
    "extremal_points",
    "growth_function",
    "growth_report",
    "halfspace_dichotomies",
    "hoeffding_sum",
    "is_shattered",
    "known_count",
    "known_vc_dimension",
    "learner_strength",
    "least_bayes_error",
    "least_error_hypothesis",
    "neighbor_consistency",
    "rows_per_dimension",
    "sauer_bound",
    "sauer_shelah",
    "shatter_function",
    "simulate_errors",
    "simulate_pac",
    "vc_dimension",
]
