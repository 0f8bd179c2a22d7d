"""Specifications of the jobs that draw labels, train and score: frozen, and JSON only between processes."""

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class Labels:
    """The noisy labels of a data set and task."""

    dataset: str
    task: str
    noises: dict[str, dict]  # id -> model, rate and params
    protocol: dict  # kind, repeats, options
    code: str = ""
    families: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Part:
    """Fits of one data set and task: every method meets every noise."""

    dataset: str
    task: str
    noises: Collection[str]  # ids; in a `Shard` a dict, id -> noise (its model) and rate, as text
    methods: Collection[str]


@dataclass(frozen=True)
class Shard:
    """A batch of fits."""

    study: str
    scale: str
    protocol: str
    repeats: int
    parts: list[Part]
    methods: dict[str, dict]  # id -> entry with its code
    versions: dict[str, str]
    code: str = ""
    retry_failed: bool = False
    fit_minutes: float | None = None
    added: list[str] = field(default_factory=list)  # methods to try on few samples first
    wanted: dict[str, list] = field(default_factory=dict)  # task -> outputs besides labels
    alone: bool = False  # timings matter, so the first new fit of a method runs twice

    @classmethod
    def of(cls, fields: dict) -> "Shard":
        """The spec that JSON gives."""
        return cls(**fields | {"parts": [Part(**part) for part in fields["parts"]]})


@dataclass(frozen=True)
class Score:
    """The rows of a study."""

    cells: list  # of [data set, task, noise ids, method ids]
    repeats: int
    folds: int
    allow_holes: bool
    metrics: list[str]  # asked for besides `metrics.ALWAYS`
    code: str = ""


def text(spec) -> str:
    """Canonical JSON text, for parameters of jobs that Snakemake compares; of a dict too."""
    return json.dumps(spec if isinstance(spec, dict) else asdict(spec), sort_keys=True)
