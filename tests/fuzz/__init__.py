"""Tampered model files: they are refused, or answer; they never bring down a process."""
