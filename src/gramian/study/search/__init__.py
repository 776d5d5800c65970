"""The search of a study: search spaces, trials, and the final comparison."""
