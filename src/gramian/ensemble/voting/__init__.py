"""Votes, averages and cascades of different estimators."""
