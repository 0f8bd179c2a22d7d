"""Boosting algorithms."""
