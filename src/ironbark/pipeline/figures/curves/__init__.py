"""Measures by the rate of noise, or by a number in the methods."""
