"""Model files: written completely or not at all, and read within size limits."""
