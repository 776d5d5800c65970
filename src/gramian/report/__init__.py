"""The page a person reads: one HTML file made from what a study found."""

from gramian.report.page import render

__all__ = ["render"]
