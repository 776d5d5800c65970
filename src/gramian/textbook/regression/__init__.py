"""Forward stagewise regression, step by step."""

from gramian.textbook.regression.stagewise import LqFit, lq_regression, stagewise_path

__all__ = ["LqFit", "lq_regression", "stagewise_path"]
