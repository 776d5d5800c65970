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
    from gramian.cluster import KMeans as KMeans
    from gramian.cluster import MiniBatchKMeans as MiniBatchKMeans
    from gramian.cluster import best_partition as best_partition
    from gramian.cluster import kmeans_plusplus as kmeans_plusplus
    from gramian.cluster import pairwise_objective as pairwise_objective
    from gramian.distributions import conditional_mean as conditional_mean
    from gramian.evaluate import compare as compare
    from gramian.evaluate import extrapolation_errors as extrapolation_errors
    from gramian.features import BasisFeatures as BasisFeatures
    from gramian.features import ParabolicLift as ParabolicLift
    from gramian.features import QuadricFeatures as QuadricFeatures
    from gramian.features import RandomFeatures as RandomFeatures
    from gramian.features import classify_quadric as classify_quadric
    from gramian.features import count_monomials as count_monomials
    from gramian.linear import LinearRegression as LinearRegression
    from gramian.linear import LogisticRegression as LogisticRegression
    from gramian.linear import LogisticRegressionCV as LogisticRegressionCV
    from gramian.linear import PoissonRegressor as PoissonRegressor
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
