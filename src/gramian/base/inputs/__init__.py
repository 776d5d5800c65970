"""What enters an estimator: rows, targets, weights, categorical columns, names of features."""
