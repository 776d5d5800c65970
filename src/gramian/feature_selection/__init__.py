"""Selection of columns for least squares: best subsets and stepwise."""

from gramian.feature_selection.best_subset import BestSubsetSelector, Subsets, best_subsets
from gramian.feature_selection.stepwise_selector import StepwiseSelector, z_scores

__all__ = ["BestSubsetSelector", "StepwiseSelector", "Subsets", "best_subsets", "z_scores"]
