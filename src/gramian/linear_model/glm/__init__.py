"""Logistic and Poisson regression, and the choice of a solver for them."""
