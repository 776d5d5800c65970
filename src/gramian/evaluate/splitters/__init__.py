"""Splitters of rows, and errors estimated by them."""
