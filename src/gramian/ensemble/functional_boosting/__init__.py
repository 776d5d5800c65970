"""Gradient boosting in function space, with any regressor as the base learner."""
