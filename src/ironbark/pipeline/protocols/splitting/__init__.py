"""Ways to split samples into training and test parts; the entries are in `ironbark.pipeline.protocols`."""
