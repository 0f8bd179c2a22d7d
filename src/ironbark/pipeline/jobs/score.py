"""The result rows of a study: its stored fits, scored, complete or refused."""

import json
from pathlib import Path

import pyarrow.compute as pc

from ironbark.errors import InputError
from ironbark.pipeline.job_specs import Score
from ironbark.pipeline.jobs.samples import Samples
from ironbark.pipeline.log import say
from ironbark.pipeline.metrics import ALWAYS, ON_REQUEST, needs
from ironbark.pipeline.protocols.scoring import outputs_in, scored
from ironbark.pipeline.results import records, store
from ironbark.pipeline.results.records import FIT
from ironbark.pipeline.tables.collect import refuse_holes

ORDER = ["dataset", "task", "noise", "rate", "method", "repeat", "fold"]


def run(spec: Score, batches: list[Path], samples: Samples, stores: Path, out: Path):
    """Score, check and write ``rows.parquet``."""
    scorer, tables = Scorer(samples, spec.metrics), []
    for path in batches:
        header, fits = store.read_batch(path)
        tables.append(scorer.table(header, fits))
        keep(fits, stores)
    rows = records.merged(tables, ORDER)
    holes = refuse_holes(rows.select(FIT).to_pandas(), spec.cells, spec.repeats, spec.folds, spec.allow_holes)
    failed = rows.filter(pc.equal(rows["status"], records.FAILED)).select([*FIT, "message"]).to_pandas()
    say(f"{len(rows)} fits, {len(failed)} failed, {len(holes)} missing")
    for row in failed.itertuples():
        say(f"FAILED {row.dataset} {row.task} {row.noise_id} {row.method} repeat {row.repeat}: {row.message}")
    for reason in dict.fromkeys(scorer.gaps):
        say(f"GAP {reason}")
    records.write(rows, out)
    Path(out).with_name(PARTIAL).unlink(missing_ok=True)


def keep(fits, stores):
    """Add to the stores the fits that they lack."""
    groups = {}
    for one in fits:
        place = one["dataset"], one["task"], one["noise_id"], f"{one['method']}.jsonl"
        groups.setdefault(place, {})[one["key"]] = one["record"]
    for place, found in groups.items():
        kept = store.Store(Path(stores, *place))
        if any(kept.get(key) is None for key in found):
            kept.add_missing(found, lambda stored, new: stored is None)


class Scorer:
    """Makes rows of the fits of a study; `gaps` says why a metric has no value for a fit."""

    def __init__(self, samples, names):
        self.samples, self.names, self.gaps = samples, list(names), []

    def table(self, header, fits):
        """Rows of a batch as an Arrow table, with dictionaries for text that repeats."""
        common = {name: header[name] for name in ("study", "scale", "protocol")}
        common["versions"] = json.dumps(header["versions"], sort_keys=True)
        rows = [{**common, **self._row(header, one)} for one in fits]
        return records.table(records.frame(rows, self.names))

    def _row(self, header, one):
        place = one["dataset"], one["task"], one["noise_id"]
        row = {name: one[name] for name in (*FIT, "key")} | header["noises"][place[2]][" ".join(place[:2])]
        if one["record"]["status"] == records.FAILED:
            return row | one["record"]
        truth = self.samples.truth(*place, one["repeat"], one["fold"])
        try:
            found = scored(one["record"], *truth, (*ALWAYS, *self.names))
        except ValueError as error:
            raise InputError(
                f"the fit {one['key']} of {' '.join(place)} {one['method']} is damaged: {error}; remove the batches of "
                "this study and the file of this method in the store, and start again"
            ) from error
        if found.get("message"):
            self.gaps.append(found["message"])
        return row | found | {"n_samples": len(self.samples.clean(*place[:2]))}


#: Rows of a study that still runs, for those who look at it meanwhile.
PARTIAL = "partial.parquet"


def refresh(folder: Path, prepared: Path, planned: dict | None = None) -> list[str]:
    """Write `PARTIAL` if ``rows.parquet`` is missing or older than a batch or the plan, from all batches as planned."""
    # `planned` is name -> digest of the spec; None in descriptions of before there were digests.
    folder, problems, read, earlier = Path(folder), [], [], 0
    paths = sorted(folder.glob("fits/**/*.jsonl.gz"))
    newest = max((path.stat().st_mtime for path in (*paths, folder / "study.json") if path.exists()), default=0.0)
    made = [folder / name for name in ("rows.parquet", PARTIAL)]
    if not paths or any(path.exists() and path.stat().st_mtime >= newest for path in made):
        return []
    for path in paths:
        name = path.relative_to(folder / "fits").as_posix().removesuffix(".jsonl.gz")
        try:
            header, fits = store.read_batch(path)
        except (InputError, OSError) as error:
            problems.append(str(error))
            continue
        if planned is None or header.get("spec") == planned.get(name):
            read.append((header, fits))
        else:
            earlier += name in planned
    if earlier:
        problems.append(
            f"{folder.parent.name} ({folder.name}): fits of an earlier plan are left out ({earlier} of {len(planned)} "
            "batches); tables and figures may be of it too. Start the study again."
        )
    cells = {(one["dataset"], one["task"]) for _, fits in read for one in fits}
    labels = [folder / "labels" / dataset / f"{task}.npz" for dataset, task in cells]
    samples = Samples([Path(prepared, dataset) for dataset, _ in cells], labels)
    scorer = Scorer(samples, possible([one["record"] for _, fits in read for one in fits]))
    try:
        tables = [scorer.table(*batch) for batch in read]
        records.write(records.merged(tables, ORDER) if tables else records.frame([]), folder / PARTIAL)
    except (InputError, OSError) as error:  # data or labels that are gone
        problems.append(str(error))
    return problems


def possible(stored):
    """Metrics on request whose outputs some fit has that did not fail, and that no fit of scores only lacks."""
    there = set().union(*(outputs_in(record) for record in stored if record["status"] == records.OK))
    lacking = {name for record in stored if "scores" in record for name in ON_REQUEST if name not in record["scores"]}
    return [name for name in ON_REQUEST if needs(name) in there and name not in lacking]
