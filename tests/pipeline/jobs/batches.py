"""A batch of fits and its rows, without a study around them."""

from ironbark.pipeline.job_specs import Shard
from ironbark.pipeline.jobs import score, shard
from ironbark.pipeline.results import records, store


def rows(spec, prepared, labels, stores, out, names=()):
    """Run a batch, and score it: its rows with these further metrics, in the order of the fits."""
    shard.run(Shard.of(spec), prepared, labels, stores, out)
    table = score.Scorer(prepared, labels, names).table(*store.read_batch(out))
    records.write(table, out.with_suffix(".parquet"))
    return records.read(out.with_suffix(".parquet"))
