"""The machine or cluster that jobs run on."""
