"""Tests, ranks and intervals over result rows."""
