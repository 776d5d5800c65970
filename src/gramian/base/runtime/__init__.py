"""Threads, factorisations and calls that Ctrl-C can interrupt."""
