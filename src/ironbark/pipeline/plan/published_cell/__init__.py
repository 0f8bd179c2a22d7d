"""One published cell, named in words: which it is, which fits of which study it needs, and what its jobs read."""
