"""Metrics: the entry of each measured column of the result rows. Importing this package loads no numpy."""

from typing import NamedTuple

from ironbark.errors import InputError


class Metric(NamedTuple):
    """Entry of `METRICS`: a measure that fits store, or that `metrics.functions` computes from an output of fits."""

    name: str  # at the start of a sentence or an axis
    unit: str  # of the shown values, in tables; empty for counts
    factor: float  # stored value -> shown value, in tables
    larger_is_better: bool
    output: str = ""  # what fits must have stored: labels, which all do, or one of `records.OUTPUTS`
    tasks: tuple = ("binary", "multiclass")  # where it has a meaning

    @property
    def inline(self):
        """The name within a sentence; abbreviations keep their capitals."""
        first, space, rest = self.name.partition(" ")
        return self.name if first.isupper() else f"{first.lower()}{space}{rest}"

    @property
    def with_unit(self):
        """The name with the unit of shown values, as a heading."""
        return f"{self.name} ({self.unit})" if self.unit else self.name


#: Column -> entry. Figures show stored values, tables shown ones. A new metric is a function and a line here.
METRICS = {
    "accuracy": Metric("Test accuracy", "percent", 100, True, "labels"),
    "balanced_accuracy": Metric("Balanced test accuracy", "percent", 100, True, "labels"),
    "error": Metric("Test error", "percent", 100, False, "labels"),
    "f1": Metric("Test F1", "percent", 100, True, "labels"),
    "average_precision": Metric("Test AUCPR", "percent", 100, True, "probabilities", ("binary",)),
    "average_precision_trapezoid": Metric("Test AUCPR, trapezoids", "percent", 100, True, "probabilities", ("binary",)),
    "average_precision_labels": Metric("Test AUCPR of predicted labels", "percent", 100, True, "labels", ("binary",)),
    "log_loss": Metric("Test log loss", "", 1, False, "probabilities"),
    "roc_auc": Metric("Test ROC AUC", "percent", 100, True, "probabilities"),
    "brier": Metric("Test Brier score", "hundredths", 100, False, "probabilities"),
    "calibration_error": Metric("Expected calibration error", "percent", 100, False, "probabilities"),
    "detection": Metric("Average precision of finding wrong labels", "percent", 100, True, "label_quality"),
    "detection_precision": Metric("Precision at the true count of wrong labels", "percent", 100, True, "label_quality"),
    "called_f1": Metric("F1 of the labels called errors", "percent", 100, True, "called_errors"),
    "called_precision": Metric("Precision of the labels called errors", "percent", 100, True, "called_errors"),
    "called_recall": Metric("Recall of the labels called errors", "percent", 100, True, "called_errors"),
    "noise_rate_error": Metric("Error of the estimated share of wrong labels", "percent", 100, False, "noise_rate"),
    "train_accuracy": Metric("Accuracy on the noisy training labels", "percent", 100, True),
    "validation_accuracy": Metric("Validation accuracy", "percent", 100, True),
    "flipped": Metric("Flipped training labels", "percent", 100, False),
    "n_leaves": Metric("Number of leaves", "", 1, False),
    "depth": Metric("Depth", "", 1, False),
    "minimax_risk": Metric("Minimax risk", "percent", 100, False),
    "effective_rules": Metric("Effective number of rules", "", 1, True),
    "effective_samples": Metric("Effective number of samples", "", 1, True),
    "fit_seconds": Metric("CPU time of a fit", "seconds", 1, False),
    "tune_seconds": Metric("CPU time of tuning", "seconds", 1, False),
    "score_seconds": Metric("CPU time of prediction", "seconds", 1, False),
    "fit_memory": Metric("Peak memory of a fit", "MB", 1, False),
}

#: Scored columns of every study, and of studies whose tables, figures or comparison ask for them.
ALWAYS = ("accuracy", "balanced_accuracy", "error")
ON_REQUEST = tuple(name for name, metric in METRICS.items() if metric.output and name not in ALWAYS)


def needs(name):
    """What a fit must have stored for a metric: its output; or itself, if it is one of labels on request."""
    output = METRICS[name].output
    return name if output == "labels" and name not in ALWAYS else output


#: All that a fit can have stored.
STORED = frozenset(map(needs, METRICS)) - {""}


def outputs(names, task):
    """What fits of a task must have stored besides labels for these metrics, sorted."""
    return sorted({needs(name) for name in names if task in METRICS[name].tasks} - {"", "labels"})


def asked(specs):
    """Names of metrics in specs of tables, figures or comparisons: under ``metric`` and ``metrics``, at any depth."""
    if isinstance(specs, list):
        return {name for spec in specs for name in asked(spec)}
    if not isinstance(specs, dict):
        return set()
    names = set()
    for key, value in specs.items():
        if key in ("metric", "metrics"):
            names.update([value] if isinstance(value, str) else value.values() if isinstance(value, dict) else value)
        else:
            names |= asked(value)
    return names


def resolve(name):
    """The `Metric` of a column."""
    if name not in METRICS:
        raise InputError(f"metric {name!r} is unknown; choose one of {', '.join(METRICS)}")
    return METRICS[name]
