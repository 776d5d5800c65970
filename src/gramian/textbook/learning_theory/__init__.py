"""Learning theory: bounds, growth functions, shattering, simulations."""

from gramian.textbook.learning_theory.bias_and_variance import (
    BiasVariance,
    BiasVarianceCurve,
    MeanBiasVariance,
    bias_variance,
    bias_variance_curve,
)
from gramian.textbook.learning_theory.consistent_hypothesis import (
    Chosen,
    consistent_hypothesis,
    empirical_error,
    least_error_hypothesis,
)
from gramian.textbook.learning_theory.dichotomies import dichotomies, halfspace_dichotomies
from gramian.textbook.learning_theory.empirical_risk import (
    LeastRisk,
    empirical_risk,
    least_empirical_risk,
)
from gramian.textbook.learning_theory.finite_class import AgnosticBound, ConsistentBound
from gramian.textbook.learning_theory.fitted_bounds import BoundReport, ErrorBound, bound
from gramian.textbook.learning_theory.growth import (
    cover_bound,
    cover_count,
    sauer_bound,
    sauer_shelah,
)
from gramian.textbook.learning_theory.hoeffding import (
    ErrorCountDistribution,
    HoeffdingBound,
    error_count_distribution,
    hoeffding_sum,
)
from gramian.textbook.learning_theory.known_growth import (
    box_count,
    extremal_points,
    growth_function,
    known_count,
    known_vc_dimension,
)
from gramian.textbook.learning_theory.learner_strength import (
    LearnerStrength,
    boosting_bound,
    boosting_rounds,
    learner_strength,
)
from gramian.textbook.learning_theory.nearest_neighbor import (
    ConsistencyCurve,
    cover_hart_bound,
    least_bayes_error,
    neighbor_consistency,
)
from gramian.textbook.learning_theory.shattering import (
    GrowthReport,
    ShatterCount,
    VCDimension,
    growth_report,
    is_shattered,
    shatter_function,
    vc_dimension,
)
from gramian.textbook.learning_theory.simulation import (
    ErrorSimulation,
    PACSimulation,
    simulate_errors,
    simulate_pac,
)
from gramian.textbook.learning_theory.uniform import (
    ExcessRiskBound,
    UniformBound,
    VapnikChervonenkisBound,
)
from gramian.textbook.learning_theory.vc_rate import VCRate, rows_per_dimension

__all__ = [
    "AgnosticBound",
    "BiasVariance",
    "BiasVarianceCurve",
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
    "LeastRisk",
    "MeanBiasVariance",
    "PACSimulation",
    "ShatterCount",
    "UniformBound",
    "VCDimension",
    "VCRate",
    "VapnikChervonenkisBound",
    "bias_variance",
    "bias_variance_curve",
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
    "empirical_risk",
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
    "least_empirical_risk",
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
