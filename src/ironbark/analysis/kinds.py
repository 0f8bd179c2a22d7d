"""Names that a study may use, for the planner, which must not import pandas or matplotlib."""

#: Table kind -> modules that are imported by name where one is made; the first has its `build`.
TABLE_MODULES = {
    "accuracy": ("ironbark.analysis.tables",),
    "ranks": ("ironbark.analysis.tables",),
    "significance": ("ironbark.analysis.significance_table",),
    "datasets": ("ironbark.analysis.dataset_tables",),
    "pairs": ("ironbark.analysis.pairs",),
    "claims": ("ironbark.analysis.claims",),
    "theorems": ("ironbark.analysis.theorems", "ironbark.theory.checks", "ironbark.tree.classifier"),
    "loss-criteria": ("ironbark.analysis.loss_criteria",),
    "errors": ("ironbark.analysis.error_table",),
    "trade-off": ("ironbark.analysis.trade_off",),
    "rank-table": ("ironbark.analysis.rank_table",),
    "slopes": ("ironbark.analysis.slopes",),
    "bayes": ("ironbark.analysis.bayes",),
    "findings": ("ironbark.analysis.findings",),
}
TABLE_KINDS = tuple(TABLE_MODULES)
FIGURE_KINDS = ("noise-curves", "critical-difference", "transition-matrix", "comparison-scatter", "noise-panels")
FIGURE_KINDS += ("metric-curves", "by-dataset", "losses-and-impurities", "risk-reductions")
FIGURE_KINDS += ("trade-off", "series", "relative-times", "weight-reactions", "top-n", "loss-curvature")
FIGURE_KINDS += ("accuracy-cost",)

#: Kinds that are made without any data.
CONCEPTS = (
    "losses-and-impurities",
    "risk-reductions",
    "theorems",
    "loss-criteria",
    "weight-reactions",
    "loss-curvature",
)

#: Figure kind -> the one module whose `frame` computes what is drawn, imported by name.
COMPUTED = {
    "weight-reactions": ("ironbark.theory.weight_reactions",),
    "loss-curvature": ("ironbark.theory.loss_curvature",),
}

#: Name of printed numbers -> file in data/published.
PUBLISHED_FILES = {"ane": "ane_accuracy.csv", "pg": "pg_accuracy.csv", "rmb": "rmb_error.csv"}

#: What the claims of a paper are counted in, beside result rows -> file in data/published.
CLAIM_FILES = {"printed": "ane_accuracy.csv", "lambdas": "ane_lambda.csv"}

#: What a trade-off stands beside -> file in data/published.
TRADE_OFF_FILES = {"printed": "rmb_error.csv", "tradeoff": "rmb_tradeoff.csv"}

#: What a table of ranks stands beside -> file in data/published.
RANK_FILES = {"printed": "rgbdt_rank.csv", "averages": "rgbdt_rank_average.csv"}

#: Printed table of data sets -> file in data/published.
PRINTED_DATASETS = {
    "ane": "ane_datasets.csv",
    "pg": "pg_datasets.csv",
    "rmb": "rmb_datasets.csv",
    "rgbdt-binary": "rgbdt_datasets.csv",
    "rgbdt-multiclass": "rgbdt_datasets.csv",
}
