"""Classical machine learning, complete and fast: scikit-learn's interface over a C++20 core.

Every public class is here as ``gramian.<Class>``; its family is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what __getattr__ gives, for type checkers; one line per name, sorted
    from gramian.base.callbacks import EarlyStopping as EarlyStopping
    from gramian.base.callbacks import TimeBudget as TimeBudget
    from gramian.base.files import load as load
    from gramian.base.files import save as save
    from gramian.base.threads import get_num_threads as get_num_threads
    from gramian.base.threads import set_num_threads as set_num_threads
    from gramian.base.versions import show_versions as show_versions
    from gramian.bayes import BayesDecision as BayesDecision
    from gramian.bayes import DecisionProblem as DecisionProblem
    from gramian.bayes import conditional_risk as conditional_risk
    from gramian.bayes import least_risk as least_risk
    from gramian.bayes import likelihood_ratio_test as likelihood_ratio_test
    from gramian.bayes import likelihood_ratio_threshold as likelihood_ratio_threshold
    from gramian.cluster import KMeans as KMeans
    from gramian.cluster import MiniBatchKMeans as MiniBatchKMeans
    from gramian.cluster import best_partition as best_partition
    from gramian.cluster import kmeans_plusplus as kmeans_plusplus
    from gramian.cluster import pairwise_objective as pairwise_objective
    from gramian.distributions import conditional_mean as conditional_mean
    from gramian.evaluate import Bootstrap as Bootstrap
    from gramian.evaluate import FiveByTwo as FiveByTwo
    from gramian.evaluate import GuardedLeavePOut as GuardedLeavePOut
    from gramian.evaluate import IterativeStratifiedKFold as IterativeStratifiedKFold
    from gramian.evaluate import auc_interval as auc_interval
    from gramian.evaluate import bias_variance as bias_variance
    from gramian.evaluate import bias_variance_curve as bias_variance_curve
    from gramian.evaluate import bootstrap_error as bootstrap_error
    from gramian.evaluate import calibration_points as calibration_points
    from gramian.evaluate import choose_on_validation as choose_on_validation
    from gramian.evaluate import compare as compare
    from gramian.evaluate import confusion as confusion
    from gramian.evaluate import diagnose_fit as diagnose_fit
    from gramian.evaluate import empirical_risk as empirical_risk
    from gramian.evaluate import error_reject_points as error_reject_points
    from gramian.evaluate import expected_cost_points as expected_cost_points
    from gramian.evaluate import extrapolation_errors as extrapolation_errors
    from gramian.evaluate import learning_errors as learning_errors
    from gramian.evaluate import least_empirical_risk as least_empirical_risk
    from gramian.evaluate import misclassified as misclassified
    from gramian.evaluate import precision_recall_points as precision_recall_points
    from gramian.evaluate import residual_report as residual_report
    from gramian.evaluate import roc_points as roc_points
    from gramian.evaluate import three_way_split as three_way_split
    from gramian.evaluate import threshold_for_costs as threshold_for_costs
    from gramian.evaluate import threshold_for_limit as threshold_for_limit
    from gramian.evaluate import validation_errors as validation_errors
    from gramian.features import BasisFeatures as BasisFeatures
    from gramian.features import BestSubsetSelector as BestSubsetSelector
    from gramian.features import ParabolicLift as ParabolicLift
    from gramian.features import QuadricFeatures as QuadricFeatures
    from gramian.features import RandomFeatures as RandomFeatures
    from gramian.features import StepwiseSelector as StepwiseSelector
    from gramian.features import classify_quadric as classify_quadric
    from gramian.features import count_monomials as count_monomials
    from gramian.linear import ChebyshevRegression as ChebyshevRegression
    from gramian.linear import ElasticNet as ElasticNet
    from gramian.linear import ElasticNetCV as ElasticNetCV
    from gramian.linear import HuberRegressor as HuberRegressor
    from gramian.linear import Lars as Lars
    from gramian.linear import Lasso as Lasso
    from gramian.linear import LassoCV as LassoCV
    from gramian.linear import LassoLars as LassoLars
    from gramian.linear import LeastAbsoluteDeviations as LeastAbsoluteDeviations
    from gramian.linear import LinearRegression as LinearRegression
    from gramian.linear import LogisticRegression as LogisticRegression
    from gramian.linear import LogisticRegressionCV as LogisticRegressionCV
    from gramian.linear import PoissonRegressor as PoissonRegressor
    from gramian.linear import QuantileRegressor as QuantileRegressor
    from gramian.linear import Ridge as Ridge
    from gramian.linear import RidgeClassifier as RidgeClassifier
    from gramian.linear import RidgeClassifierCV as RidgeClassifierCV
    from gramian.linear import RidgeCV as RidgeCV
    from gramian.linear import SigmoidDiscriminant as SigmoidDiscriminant
    from gramian.neighbors import KDTree as KDTree
    from gramian.neighbors import KNeighborsClassifier as KNeighborsClassifier
    from gramian.neighbors import KNeighborsRegressor as KNeighborsRegressor
    from gramian.neighbors import NearestNeighbors as NearestNeighbors
    from gramian.neighbors import RadiusNeighborsClassifier as RadiusNeighborsClassifier
    from gramian.neighbors import RadiusNeighborsRegressor as RadiusNeighborsRegressor
    from gramian.neighbors import error_against_k as error_against_k
    from gramian.neighbors import kneighbors_graph as kneighbors_graph
    from gramian.neighbors import radius_neighbors_graph as radius_neighbors_graph

__version__ = "0.1.0.dev0"


def __getattr__(name: str) -> Any:
    from gramian.base.catalogue import public_names

    module = public_names().get(name)
    if module is None:
        raise AttributeError(f"module 'gramian' has no attribute {name!r}")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from gramian.base.catalogue import public_names

    return sorted([*globals(), *public_names()])
