"""Tests, ranks and intervals: numbers in, numbers out."""
