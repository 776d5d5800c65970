"""Tests of hypotheses about models, their power, and several tests at once."""
