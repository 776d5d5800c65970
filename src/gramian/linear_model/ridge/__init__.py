"""Ridge regression and classification: solvers, path and exact cross-validation."""
