"""Convolutional networks: layers, their arithmetic, the estimators, what they learned."""
