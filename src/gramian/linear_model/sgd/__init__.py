"""Linear models by stochastic gradient descent."""
