"""Tables for readers: what is in them, and how they are written."""
