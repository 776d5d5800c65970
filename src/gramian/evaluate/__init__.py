"""Judgement of models: how well they do, where, and which of them differ."""

from gramian.evaluate.adjust import adjust_p_values
from gramian.evaluate.anova import anova_test
from gramian.evaluate.bayesian import Posterior, correlated_t_posterior, signed_rank_posterior
from gramian.evaluate.compare_models import compare
from gramian.evaluate.comparison import Comparison, Pair
from gramian.evaluate.counts import cochran_q_test, mcnemar_test
from gramian.evaluate.extrapolation import ExtrapolationErrors, extrapolation_errors
from gramian.evaluate.five_by_two import five_by_two_f_test, five_by_two_t_test
from gramian.evaluate.mean import t_interval, t_test, z_interval, z_test
from gramian.evaluate.power import (
    binomial_test_power,
    mcnemar_sample_size,
    rate_sample_size,
    rejection_rate,
    t_test_power,
    t_test_sample_size,
    z_test_power,
)
from gramian.evaluate.proportion import (
    binomial_test,
    clopper_pearson_interval,
    error_upper_limit,
    wilson_interval,
)
from gramian.evaluate.rank_comparison import RankComparison, compare_ranks, critical_difference
from gramian.evaluate.ranks import friedman_test, wilcoxon_test
from gramian.evaluate.resampled import (
    corrected_t_interval,
    corrected_t_test,
    error_rate_t_test,
    paired_t_test,
)
from gramian.evaluate.results import Interval, Verdict

__all__ = [
    "Comparison",
    "ExtrapolationErrors",
    "Interval",
    "Pair",
    "Posterior",
    "RankComparison",
    "Verdict",
    "adjust_p_values",
    "anova_test",
    "binomial_test",
    "binomial_test_power",
    "clopper_pearson_interval",
    "cochran_q_test",
    "compare",
    "compare_ranks",
    "corrected_t_interval",
    "corrected_t_test",
    "correlated_t_posterior",
    "critical_difference",
    "error_rate_t_test",
    "error_upper_limit",
    "extrapolation_errors",
    "five_by_two_f_test",
    "five_by_two_t_test",
    "friedman_test",
    "mcnemar_sample_size",
    "mcnemar_test",
    "paired_t_test",
    "rate_sample_size",
    "rejection_rate",
    "signed_rank_posterior",
    "t_interval",
    "t_test",
    "t_test_power",
    "t_test_sample_size",
    "wilcoxon_test",
    "wilson_interval",
    "z_interval",
    "z_test",
    "z_test_power",
]
