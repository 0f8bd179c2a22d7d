"""Estimators that differ from the library's in one choice which a paper leaves open; see docs/reproduction.md."""
