"""Plots of learning theory."""
