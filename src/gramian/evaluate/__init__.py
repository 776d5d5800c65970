"""Model evaluation: intervals, hypothesis tests, splitters, curves and comparisons."""

from gramian.evaluate.comparison.compare_models import compare
from gramian.evaluate.comparison.compare_scores import compare_scores
from gramian.evaluate.comparison.comparison import Comparison, Pair
from gramian.evaluate.comparison.rank_comparison import (
    RankComparison,
    compare_ranks,
    critical_difference,
)
from gramian.evaluate.curves.calibration import CalibrationPoints, calibration_points
from gramian.evaluate.curves.confusion_counts import BinaryCounts, Confusion, confusion
from gramian.evaluate.curves.delong import Area, auc_interval
from gramian.evaluate.curves.diagnosis import Diagnosis, diagnose_fit
from gramian.evaluate.curves.error_curves import ErrorCurve, learning_errors, validation_errors
from gramian.evaluate.curves.error_reject import ErrorRejectPoints, error_reject_points
from gramian.evaluate.curves.extrapolation import ExtrapolationErrors, extrapolation_errors
from gramian.evaluate.curves.multilabel_report import (
    LabelScores,
    MultiLabelReport,
    multilabel_report,
)
from gramian.evaluate.curves.residuals import (
    Misclassified,
    ResidualReport,
    misclassified,
    residual_report,
)
from gramian.evaluate.curves.roc import (
    PrecisionRecallPoints,
    RocPoints,
    precision_recall_points,
    roc_points,
)
from gramian.evaluate.curves.thresholds import (
    CostPoints,
    OperatingPoint,
    expected_cost_points,
    threshold_for_costs,
    threshold_for_limit,
)
from gramian.evaluate.hypothesis_tests.anova import anova_test
from gramian.evaluate.hypothesis_tests.bayesian import (
    Posterior,
    correlated_t_posterior,
    signed_rank_posterior,
)
from gramian.evaluate.hypothesis_tests.corrected_t import (
    corrected_t_interval,
    corrected_t_test,
    error_rate_t_test,
    paired_t_test,
)
from gramian.evaluate.hypothesis_tests.five_by_two import five_by_two_f_test, five_by_two_t_test
from gramian.evaluate.hypothesis_tests.mcnemar import cochran_q_test, mcnemar_test
from gramian.evaluate.hypothesis_tests.multiple_testing import adjust_p_values
from gramian.evaluate.hypothesis_tests.power import (
    binomial_test_power,
    mcnemar_sample_size,
    rate_sample_size,
    rejection_rate,
    t_test_power,
    t_test_sample_size,
    z_test_power,
)
from gramian.evaluate.hypothesis_tests.ranks import friedman_test, wilcoxon_test
from gramian.evaluate.intervals.mean import t_interval, t_test, z_interval, z_test
from gramian.evaluate.intervals.proportion import (
    binomial_test,
    clopper_pearson_interval,
    error_upper_limit,
    wilson_interval,
)
from gramian.evaluate.results import HypothesisTestResult, Interval
from gramian.evaluate.splitters.bootstrap import (
    Bootstrap,
    BootstrapError,
    bootstrap_error,
    corrected_errors,
    no_information_error,
)
from gramian.evaluate.splitters.five_by_two_split import FiveByTwo
from gramian.evaluate.splitters.iterative_stratification import IterativeStratifiedKFold
from gramian.evaluate.splitters.leave_p_out import GuardedLeavePOut
from gramian.evaluate.splitters.three_way_split import (
    ThreeWaySplit,
    ValidationChoice,
    choose_on_validation,
    three_way_split,
)
from gramian.evaluate.task import LearningTask, describe_task

__all__ = [
    "Area",
    "BinaryCounts",
    "Bootstrap",
    "BootstrapError",
    "CalibrationPoints",
    "Comparison",
    "Confusion",
    "CostPoints",
    "Diagnosis",
    "ErrorCurve",
    "ErrorRejectPoints",
    "ExtrapolationErrors",
    "FiveByTwo",
    "GuardedLeavePOut",
    "HypothesisTestResult",
    "Interval",
    "IterativeStratifiedKFold",
    "LabelScores",
    "LearningTask",
    "Misclassified",
    "MultiLabelReport",
    "OperatingPoint",
    "Pair",
    "Posterior",
    "PrecisionRecallPoints",
    "RankComparison",
    "ResidualReport",
    "RocPoints",
    "ThreeWaySplit",
    "ValidationChoice",
    "adjust_p_values",
    "anova_test",
    "auc_interval",
    "binomial_test",
    "binomial_test_power",
    "bootstrap_error",
    "calibration_points",
    "choose_on_validation",
    "clopper_pearson_interval",
    "cochran_q_test",
    "compare",
    "compare_ranks",
    "compare_scores",
    "confusion",
    "corrected_errors",
    "corrected_t_interval",
    "corrected_t_test",
    "correlated_t_posterior",
    "critical_difference",
    "describe_task",
    "diagnose_fit",
    "error_rate_t_test",
    "error_reject_points",
    "error_upper_limit",
    "expected_cost_points",
    "extrapolation_errors",
    "five_by_two_f_test",
    "five_by_two_t_test",
    "friedman_test",
    "learning_errors",
    "mcnemar_sample_size",
    "mcnemar_test",
    "misclassified",
    "multilabel_report",
    "no_information_error",
    "paired_t_test",
    "precision_recall_points",
    "rate_sample_size",
    "rejection_rate",
    "residual_report",
    "roc_points",
    "signed_rank_posterior",
    "t_interval",
    "t_test",
    "t_test_power",
    "t_test_sample_size",
    "three_way_split",
    "threshold_for_costs",
    "threshold_for_limit",
    "validation_errors",
    "wilcoxon_test",
    "wilson_interval",
    "z_interval",
    "z_test",
    "z_test_power",
]
