"""Numbers made from texts and pictures."""
