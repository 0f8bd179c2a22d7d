"""Names that a study may use, for the planner, which must not import pandas or matplotlib."""

TABLE_KINDS = ("accuracy", "ranks")
FIGURE_KINDS = ("noise-curves", "critical-difference", "transition-matrix", "comparison-scatter")

#: Name of printed numbers -> file in data/published.
PUBLISHED_FILES = {"ane": "ane_accuracy.csv"}
