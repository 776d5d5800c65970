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
    from gramian.data import TablePreparer as TablePreparer
    from gramian.data import infer_kinds as infer_kinds
    from gramian.data import load_example as load_example
    from gramian.data import read_arff as read_arff
    from gramian.data import read_table as read_table
    from gramian.distributions import conditional_mean as conditional_mean
    from gramian.ensembles import AdaBoostClassifier as AdaBoostClassifier
    from gramian.ensembles import AdaBoostRegressor as AdaBoostRegressor
    from gramian.ensembles import BaggingClassifier as BaggingClassifier
    from gramian.ensembles import BaggingRegressor as BaggingRegressor
    from gramian.ensembles import CascadeClassifier as CascadeClassifier
    from gramian.ensembles import DecisionStump as DecisionStump
    from gramian.ensembles import ExtraTreesClassifier as ExtraTreesClassifier
    from gramian.ensembles import ExtraTreesRegressor as ExtraTreesRegressor
    from gramian.ensembles import GradientBoostingClassifier as GradientBoostingClassifier
    from gramian.ensembles import GradientBoostingRegressor as GradientBoostingRegressor
    from gramian.ensembles import HistGradientBoostingClassifier as HistGradientBoostingClassifier
    from gramian.ensembles import HistGradientBoostingRegressor as HistGradientBoostingRegressor
    from gramian.ensembles import RandomForestClassifier as RandomForestClassifier
    from gramian.ensembles import RandomForestRegressor as RandomForestRegressor
    from gramian.ensembles import VotingClassifier as VotingClassifier
    from gramian.ensembles import VotingRegressor as VotingRegressor
    from gramian.ensembles import average_variance as average_variance
    from gramian.ensembles import distinct_share as distinct_share
    from gramian.ensembles import error_against_members as error_against_members
    from gramian.ensembles import measured_variance as measured_variance
    from gramian.ensembles import model_posterior as model_posterior
    from gramian.ensembles import vote_of as vote_of
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
    from gramian.linear import Hyperplane as Hyperplane
    from gramian.linear import Lars as Lars
    from gramian.linear import Lasso as Lasso
    from gramian.linear import LassoCV as LassoCV
    from gramian.linear import LassoLars as LassoLars
    from gramian.linear import LeastAbsoluteDeviations as LeastAbsoluteDeviations
    from gramian.linear import LinearProgramClassifier as LinearProgramClassifier
    from gramian.linear import LinearRegression as LinearRegression
    from gramian.linear import LinearSVC as LinearSVC
    from gramian.linear import LinearSVR as LinearSVR
    from gramian.linear import LogisticRegression as LogisticRegression
    from gramian.linear import LogisticRegressionCV as LogisticRegressionCV
    from gramian.linear import NearestCentroid as NearestCentroid
    from gramian.linear import PairwiseClassifier as PairwiseClassifier
    from gramian.linear import Perceptron as Perceptron
    from gramian.linear import PoissonRegressor as PoissonRegressor
    from gramian.linear import QuantileRegressor as QuantileRegressor
    from gramian.linear import Ridge as Ridge
    from gramian.linear import RidgeClassifier as RidgeClassifier
    from gramian.linear import RidgeClassifierCV as RidgeClassifierCV
    from gramian.linear import RidgeCV as RidgeCV
    from gramian.linear import SGDClassifier as SGDClassifier
    from gramian.linear import SGDRegressor as SGDRegressor
    from gramian.linear import SigmoidDiscriminant as SigmoidDiscriminant
    from gramian.linear import VotedPerceptron as VotedPerceptron
    from gramian.linear import mistake_bound as mistake_bound
    from gramian.linear import separability as separability
    from gramian.linear import support_report as support_report
    from gramian.neighbors import BSPTree as BSPTree
    from gramian.neighbors import KDTree as KDTree
    from gramian.neighbors import KNeighborsClassifier as KNeighborsClassifier
    from gramian.neighbors import KNeighborsRegressor as KNeighborsRegressor
    from gramian.neighbors import LSHNeighbors as LSHNeighbors
    from gramian.neighbors import NearestNeighbors as NearestNeighbors
    from gramian.neighbors import RadiusNeighborsClassifier as RadiusNeighborsClassifier
    from gramian.neighbors import RadiusNeighborsRegressor as RadiusNeighborsRegressor
    from gramian.neighbors import SortedLine as SortedLine
    from gramian.neighbors import TextbookKDTree as TextbookKDTree
    from gramian.neighbors import VoronoiSlabs as VoronoiSlabs
    from gramian.neighbors import cell_half_spaces as cell_half_spaces
    from gramian.neighbors import choose_structure as choose_structure
    from gramian.neighbors import error_against_k as error_against_k
    from gramian.neighbors import in_voronoi_cell as in_voronoi_cell
    from gramian.neighbors import kneighbors_graph as kneighbors_graph
    from gramian.neighbors import most_voronoi_vertices as most_voronoi_vertices
    from gramian.neighbors import radius_neighbors_graph as radius_neighbors_graph
    from gramian.neighbors import voronoi_edges as voronoi_edges
    from gramian.trees import C45Classifier as C45Classifier
    from gramian.trees import DecisionTreeClassifier as DecisionTreeClassifier
    from gramian.trees import DecisionTreeRegressor as DecisionTreeRegressor
    from gramian.trees import Forest as Forest
    from gramian.trees import ModelTreeRegressor as ModelTreeRegressor
    from gramian.trees import ObliqueTreeClassifier as ObliqueTreeClassifier
    from gramian.trees import ObliqueTreeRegressor as ObliqueTreeRegressor
    from gramian.trees import Tree as Tree
    from gramian.trees import to_onnx as to_onnx

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
