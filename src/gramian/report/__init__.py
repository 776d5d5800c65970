"""The report of a study as one HTML file, and `fit_table`, which runs and reports a study."""

from gramian.report.fitted_table import FittedTable, fit_table
from gramian.report.page import render

__all__ = ["FittedTable", "fit_table", "render"]
