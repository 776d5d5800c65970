"""Lasso, elastic net, least-angle and stagewise regression."""
