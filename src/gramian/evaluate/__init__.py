"""Judgement of models: how well they do, and where."""

from gramian.evaluate.bias_and_variance import (
    BiasVariance,
    BiasVarianceCurve,
    MeanBiasVariance,
    bias_variance,
    bias_variance_curve,
)
from gramian.evaluate.bootstrap import (
    Bootstrap,
    BootstrapError,
    bootstrap_error,
    corrected_errors,
    no_information_error,
)
from gramian.evaluate.calibration import CalibrationPoints, calibration_points
from gramian.evaluate.confusion_counts import BinaryCounts, Confusion, confusion
from gramian.evaluate.delong import Area, auc_interval
from gramian.evaluate.diagnosis import Diagnosis, diagnose_fit
from gramian.evaluate.empirical_risk import (
    LeastRisk,
    empirical_risk,
    least_empirical_risk,
    zero_one_loss,
)
from gramian.evaluate.error_curves import ErrorCurve, learning_errors, validation_errors
from gramian.evaluate.extrapolation import ExtrapolationErrors, extrapolation_errors
from gramian.evaluate.five_by_two_split import FiveByTwo
from gramian.evaluate.iterative_stratification import IterativeStratifiedKFold
from gramian.evaluate.leave_p_out import GuardedLeavePOut
from gramian.evaluate.rejection import ErrorRejectPoints, error_reject_points
from gramian.evaluate.residuals import (
    Misclassified,
    ResidualReport,
    misclassified,
    residual_report,
)
from gramian.evaluate.roc import (
    PrecisionRecallPoints,
    RocPoints,
    precision_recall_points,
    roc_points,
)
from gramian.evaluate.three_way_split import (
    Choice,
    ThreeWaySplit,
    choose_on_validation,
    three_way_split,
)
from gramian.evaluate.thresholds import (
    CostPoints,
    OperatingPoint,
    expected_cost_points,
    threshold_for_costs,
    threshold_for_limit,
)

__all__ = [
    "Area",
    "BiasVariance",
    "BiasVarianceCurve",
    "BinaryCounts",
    "Bootstrap",
    "BootstrapError",
    "CalibrationPoints",
    "Choice",
    "Confusion",
    "CostPoints",
    "Diagnosis",
    "ErrorCurve",
    "ErrorRejectPoints",
    "ExtrapolationErrors",
    "FiveByTwo",
    "GuardedLeavePOut",
    "IterativeStratifiedKFold",
    "LeastRisk",
    "MeanBiasVariance",
    "Misclassified",
    "OperatingPoint",
    "PrecisionRecallPoints",
    "ResidualReport",
    "RocPoints",
    "ThreeWaySplit",
    "auc_interval",
    "bias_variance",
    "bias_variance_curve",
    "bootstrap_error",
    "calibration_points",
    "choose_on_validation",
    "confusion",
    "corrected_errors",
    "diagnose_fit",
    "empirical_risk",
    "error_reject_points",
    "expected_cost_points",
    "extrapolation_errors",
    "learning_errors",
    "least_empirical_risk",
    "misclassified",
    "no_information_error",
    "precision_recall_points",
    "residual_report",
    "roc_points",
    "three_way_split",
    "threshold_for_costs",
    "threshold_for_limit",
    "validation_errors",
    "zero_one_loss",
]
