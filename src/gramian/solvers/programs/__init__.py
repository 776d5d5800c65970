"""Linear and quadratic programs, duality, convexity."""
