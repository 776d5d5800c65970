"""Autoencoders: plain, denoising, stacked."""
