"""Newton's method, quasi-Newton methods, and the linear systems of their steps."""
