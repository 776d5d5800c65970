"""Figures of the course on regression: penalties as geometry, losses, bias and variance."""
