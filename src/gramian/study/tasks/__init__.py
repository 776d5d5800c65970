"""What a study does for each task: predict a target, predict labels, find clusters."""
