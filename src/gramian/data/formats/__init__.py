"""Formats of columns of strings: numbers, dates, times and booleans as people write them."""
