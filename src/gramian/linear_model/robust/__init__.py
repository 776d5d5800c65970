"""Regression by other losses: Huber, quantiles, absolute deviations, the largest deviation."""
