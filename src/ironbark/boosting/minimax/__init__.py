"""Boosters that solve a linear program over all rules so far: RMBoost and LPBoost."""
