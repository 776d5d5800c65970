"""Figures of evaluation: ROC, error curves, intervals, tests."""
