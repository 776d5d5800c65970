"""Gradient boosting of exact trees, with the interface of scikit-learn."""
