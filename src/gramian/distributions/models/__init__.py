"""Distributions made of distributions, and the exponential family."""
