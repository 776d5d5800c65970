"""Validation of the input of estimators: rows, targets, weights, categories, feature names."""
