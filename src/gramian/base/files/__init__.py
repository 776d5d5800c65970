"""Model files: written whole, read within limits."""
