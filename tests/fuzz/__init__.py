"""Model files that were tampered with: they are refused, or answer; they never bring down a process."""
