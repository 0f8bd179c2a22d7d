"""Boosters that add one small tree per round and never look back."""
