"""Regression with other losses: Huber, quantile, absolute and maximum deviation."""
