"""Rows of a table: taken, read in chunks, summed to moments, viewed by the core."""
