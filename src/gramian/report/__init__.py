"""The report of a study: one HTML file."""

from gramian.report.page import render

__all__ = ["render"]
