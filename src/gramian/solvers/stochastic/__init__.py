"""Stochastic gradient descent, its relatives, and schedules of the learning rate."""
