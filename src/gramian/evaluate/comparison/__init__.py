"""Comparison of several models, on one data set or over many."""
