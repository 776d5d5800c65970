"""Clusters as regions of many rows: DBSCAN and HDBSCAN."""
