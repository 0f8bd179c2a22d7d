"""Names that a study may use, for the planner, which must not import pandas or matplotlib."""

#: Table kind -> modules that are imported by name where one is made; the first has its `build`.
TABLE_MODULES = {
    "accuracy": ("ironbark.pipeline.analysis.tables.result_table",),
    "ranks": ("ironbark.pipeline.analysis.tables.result_table",),
    "significance": ("ironbark.pipeline.analysis.tables.significance_table",),
    "datasets": ("ironbark.pipeline.analysis.tables.dataset_tables",),
    "pairs": ("ironbark.pipeline.analysis.statistics.pairs",),
    "claims": ("ironbark.pipeline.analysis.published.paper_claims",),
    "theorems": (
        "ironbark.pipeline.analysis.tables.theorems",
        "ironbark.pipeline.theory.checks",
        "ironbark.tree.classifier",
    ),
    "loss-criteria": ("ironbark.pipeline.analysis.tables.loss_criteria",),
    "errors": ("ironbark.pipeline.analysis.tables.error_table",),
    "trade-off": ("ironbark.pipeline.analysis.tables.trade_off",),
    "rank-table": ("ironbark.pipeline.analysis.tables.rank_table",),
    "slopes": ("ironbark.pipeline.analysis.statistics.slopes",),
    "bayes": ("ironbark.pipeline.analysis.statistics.bayes",),
    "findings": ("ironbark.pipeline.analysis.published.findings",),
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
    "weight-reactions": ("ironbark.pipeline.theory.weight_reactions",),
    "loss-curvature": ("ironbark.pipeline.theory.loss_curvature",),
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
