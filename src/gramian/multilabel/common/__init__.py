"""What learners of label sets share."""
