"""Methods next to each other, or to published values."""
