"""Names that a study may use, for the planner, which must not import pandas or matplotlib."""

TABLE_KINDS = ("accuracy", "ranks", "significance", "datasets", "pairs", "claims", "theorems", "loss-criteria")
FIGURE_KINDS = ("noise-curves", "critical-difference", "transition-matrix", "comparison-scatter", "noise-panels")
FIGURE_KINDS += ("metric-curves", "by-dataset", "losses-and-impurities", "risk-reductions", "weight-reactions")

#: Kinds that are made without any data.
CONCEPTS = ("losses-and-impurities", "risk-reductions", "theorems", "loss-criteria", "weight-reactions")

#: Figure kind -> the one module whose `frame` computes what is drawn, imported by name.
COMPUTED = {"weight-reactions": ("ironbark.theory.weight_reactions",)}

#: Name of printed numbers -> file in data/published.
PUBLISHED_FILES = {"ane": "ane_accuracy.csv", "pg": "pg_accuracy.csv"}

#: What the claims of a paper are counted in, beside result rows -> file in data/published.
CLAIM_FILES = {"printed": "ane_accuracy.csv", "lambdas": "ane_lambda.csv"}

#: Printed table of data sets -> file in data/published.
PRINTED_DATASETS = {
    "ane": "ane_datasets.csv",
    "pg": "pg_datasets.csv",
    "rmb": "rmb_datasets.csv",
    "rgbdt-binary": "rgbdt_datasets.csv",
    "rgbdt-multiclass": "rgbdt_datasets.csv",
}
