"""Ours against the peers, in one run and at equal quality: ``python -m benchmarks [family ...]``.

A family is a file of this folder with a list ``WORKLOADS``; to add one, add a file.
"""
