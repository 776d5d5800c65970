"""The tasks of a study: predict a target, predict labels, find clusters."""
