"""A batch of fits: what the store has is taken from it, what it lacks is run and added."""

import hashlib
import json
from functools import partial
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from ironbark.pipeline.data import bundle
from ironbark.pipeline.jobs import corrupt, say, supervisor
from ironbark.pipeline.jobs.stored_fits import Kept
from ironbark.pipeline.protocols import fit, further_metrics, imputation
from ironbark.pipeline.protocols.methods import takes_encoded
from ironbark.pipeline.results import records, store
from ironbark.pipeline.results.rows import undamaged


def run(spec, prepared, labels, stores, out):
    """Run the missing fits of a batch and write the rows of all of them.

    Parameters
    ----------
    spec : dict
        Keys study, scale, protocol, parts (dicts with dataset, task, noises (id -> model and rate text) and methods
        (ids)), methods (id -> resolved entry with the fingerprint ``code`` of what it runs), versions, retry_failed;
        ``fit_minutes``, how long a fit may take, if there is a limit; ``alone``, whether timings matter, so that the
        first new fit of a method runs twice: once to load its libraries; ``further``, which columns of
        `ironbark.pipeline.results.metrics.FURTHER` are asked for (``names``), and their fingerprint ``code``;
        ``imputation``, the fingerprint of what fills in missing values, if a data set may need it.
    prepared : dict
        Data set -> folder of the prepared data.
    labels : dict
        (data set, task, noise id) -> file of noisy labels.
    stores : path
        Folder of the stores.
    out : path
        Parquet file of result rows.
    """
    supervisor.run(lambda watching: _run(spec, prepared, labels, stores, out, watching), spec.get("fit_minutes"))


def _run(spec, prepared, labels, stores, out, watching):
    with threadpool_limits(1):  # one core per job, and the same bits however many there are
        rows = [
            row
            for part in spec["parts"]
            for row in _rows(spec, part, prepared[part["dataset"]], labels, stores, watching)
        ]
    common = {name: spec[name] for name in ("study", "scale", "protocol")}
    common |= {"versions": json.dumps(spec["versions"], sort_keys=True)}
    failed = [row for row in rows if row["status"] == records.FAILED]
    for row in failed:
        ids = (row[key] for key in ("dataset", "task", "noise_id", "method"))
        say(f"FAILED {' '.join(ids)} repeat {row['repeat']} fold {row['fold']}: {row['message']}")
    further = spec.get("further", {}).get("names", [])
    for reason in dict.fromkeys(row["message"] for row in rows if row["status"] == records.OK and row.get("message")):
        say(f"GAP {reason}")
    frame = records.frame({**common, **row} for row in rows)
    records.write(frame.assign(**{name: [row.get(name, float("nan")) for row in rows] for name in further}), out)


def _rows(spec, part, prepared, labels, stores, watching):
    """Result rows of one data set and task."""
    place = part["dataset"], part["task"]
    features = Parts(bundle.load(prepared), part["task"])
    for noise_id, about in part["noises"].items():
        with undamaged(labels[(*place, noise_id)]):
            noisy = corrupt.read(labels[(*place, noise_id)])
        for method_id in part["methods"]:
            methods, alone = spec["methods"], spec.get("alone", False)
            kept = Kept(Path(stores, *place, noise_id), method_id, part["methods"], methods, alone)
            for index, split in enumerate(noisy.splits):
                ids = (*place, spec["protocol"], split.repeat, split.fold, noise_id)
                record = _fit(spec, features, kept, ids, split, noisy.noisy[index], watching)
                names = {"dataset": place[0], "task": place[1], "noise_id": noise_id, "method": method_id}
                record = with_further(record, spec.get("further", {}).get("names", ()))
                yield {**names, **about, "repeat": split.repeat, "fold": split.fold} | record
            say(f"{' '.join(place)} {noise_id} {method_id}: {len(noisy.splits)} fits, {kept.new} of them new")


def _fit(spec, parts, kept, ids, split, noisy, watching):
    """Record of one fit, from the store or new."""
    split_digest = _digest(split.train, split.test)
    depends = {"data": parts.data.meta["digest"], "split": split_digest, "labels": _digest(noisy), "ids": ids}
    if "imputed" in parts.data.meta:
        depends["imputed"] = [parts.data.meta["imputed"], spec["imputation"]]
    plain = kept.key(depends)
    key = kept.key(depends | {"further": spec["further"]["code"]}) if "further" in spec else plain
    record = kept.record(key, plain)
    again = record is not None and record["status"] == records.FAILED and key not in watching.given_up
    if record is None or (spec["retry_failed"] and again):
        times = 2 if spec.get("alone") and kept.new == 0 else 1
        X_train, X_test = parts.features(split, encoded=takes_encoded(kept.method))
        clean, y_test, chosen = parts.y[split.train], parts.y[split.test], kept.choice(depends)
        path = kept.fits.path
        begun = path.with_name(f"{path.stem}.{key}.trials")
        journal = store.Store(begun) if times == 1 else None  # where timings matter, nothing may be taken from before
        about = {"flipped": float(np.mean(clean != noisy)), "n_train": len(split.train), "n_test": len(split.test)}
        measure = partial(further_metrics.measure, wrong=clean != noisy) if "further" in spec else None
        with watching.over(path, key, about):
            for _ in range(times):
                record = fit.run(kept.method, ids, X_train, noisy, X_test, y_test, journal, chosen, measure)
        record |= about
        kept.add(key, plain, record)
        begun.unlink(missing_ok=True)
    return {**record, "key": plain}


def with_further(record, names):
    """A record whose further metrics of these names are columns; what has no value is said in its message."""
    further = record.get("further", {"values": {}, "gaps": {}})
    gaps = dict.fromkeys(further["gaps"][name] for name in names if name in further["gaps"])
    found = {name: value for name, value in record.items() if name != "further"}
    found |= {name: further["values"][name] for name in names if name in further["values"]}
    return found | ({"message": "; ".join(gaps)} if gaps else {})


def _digest(*arrays):
    digest = hashlib.blake2b(digest_size=16)
    for array in arrays:
        digest.update(f"{array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


class Parts:
    """Training and test features of the splits of one data set; those of the latest split are kept for the next fit.

    Parameters
    ----------
    data : Bundle
    task : str
    """

    def __init__(self, data, task):
        self.data = data
        self.y = data.y(task)
        self._key, self._encoded, self._plain = None, None, None

    def features(self, split, encoded):
        """Training features (encoded, or an array) and test features (an array) of a split."""
        key = _digest(split.train, split.test)
        if key != self._key:
            self._key, self._plain = key, None
            self._encoded = self._of(split)
        train, test = self._encoded
        if encoded:
            return train, test
        if self._plain is None:
            self._plain = train.decode()
        return self._plain, test

    def _of(self, split):
        if "imputed" in self.data.meta:
            return imputation.of_split(self.data.features, split, self.data.meta)
        return self.data.features.take(split.train), self.data.features.take(split.test).decode()
