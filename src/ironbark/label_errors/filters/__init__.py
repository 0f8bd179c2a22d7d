"""Filters of wrong labels: each says which samples it would drop."""
