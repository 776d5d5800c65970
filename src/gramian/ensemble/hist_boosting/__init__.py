"""Histogram-based gradient boosting."""
