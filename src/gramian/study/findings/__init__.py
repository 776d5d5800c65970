"""What a study found: leaderboard, curves, errors, explanations, the verdict."""
