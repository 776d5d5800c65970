"""Rows of a table: selections, chunks, moments, and views for the native core."""
