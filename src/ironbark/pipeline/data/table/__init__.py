"""From a raw table to features, classes and parts: names, roles and groups of its columns."""
