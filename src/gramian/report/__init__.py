"""The report of a study as one HTML file, and `fit_table`, which makes both in one call."""

from gramian.report.fitted_table import FittedTable, fit_table
from gramian.report.page import render

__all__ = ["FittedTable", "fit_table", "render"]
