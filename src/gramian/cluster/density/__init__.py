"""Density-based clustering: DBSCAN and HDBSCAN."""
