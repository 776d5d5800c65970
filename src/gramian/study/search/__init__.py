"""The search of a study: spaces of parameters, trials, and the final contest."""
