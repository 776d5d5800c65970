"""The report of a study: one HTML file."""

from gramian.report.page import render, render_chunks

__all__ = ["render", "render_chunks"]
