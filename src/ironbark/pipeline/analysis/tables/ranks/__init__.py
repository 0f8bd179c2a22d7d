"""Which method is best: ranks, ratings, wins and tests."""
