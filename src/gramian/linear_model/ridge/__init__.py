"""Ridge regression: its solvers, its path, exact cross-validation, classification by it."""
