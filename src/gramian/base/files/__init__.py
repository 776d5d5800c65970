"""Model files: written whole, read within limits, older versions included."""
