"""A batch of fits: what the store has is taken from it, what it lacks is run and added."""

import hashlib
import json
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from ironbark import records, store
from ironbark.datasets import bundle
from ironbark.jobs import corrupt, say
from ironbark.protocols import fit
from ironbark.protocols.methods import takes_encoded


def run(spec, prepared, labels, stores, out):
    """Run the missing fits of a batch and write the rows of all of them.

    Parameters
    ----------
    spec : dict
        Keys study, scale, dataset, task, protocol, noises (id -> model and rate text), methods (id -> resolved entry
        with the fingerprint ``code`` of what it runs), versions, retry_failed.
    prepared : path
        Folder of the prepared data set.
    labels : dict
        Noise id -> file of noisy labels.
    stores : path
        Folder of the stores.
    out : path
        Parquet file of result rows.
    """
    data = bundle.load(prepared)
    parts = Parts(data, spec["task"])
    rows = []
    with threadpool_limits(1):  # one core per job, and the same bits however many there are
        for noise_id, about in spec["noises"].items():
            noisy = corrupt.read(labels[noise_id])
            for method_id, method in spec["methods"].items():
                path = Path(stores, spec["dataset"], spec["task"], noise_id, f"{method_id}.jsonl")
                kept = store.Store(path)
                before = len(kept)
                for index, split in enumerate(noisy.splits):
                    cell = {
                        "noise_id": noise_id,
                        **about,
                        "method": method_id,
                        "repeat": split.repeat,
                        "fold": split.fold,
                    }
                    rows.append(cell | _fit(spec, method, parts, kept, noise_id, split, noisy.noisy[index]))
                say(f"{noise_id} {method_id}: {len(noisy.splits)} fits, {len(kept) - before} of them new")
    common = {name: spec[name] for name in ("study", "scale", "dataset", "task")}
    common |= {"protocol": spec["protocol"], "versions": json.dumps(spec["versions"], sort_keys=True)}
    failed = [row for row in rows if row["status"] == records.FAILED]
    for row in failed:
        say(f"FAILED {row['noise_id']} {row['method']} repeat {row['repeat']} fold {row['fold']}: {row['message']}")
    records.write(records.frame({**common, **row} for row in rows), out)


def _fit(spec, method, parts, kept, noise_id, split, noisy):
    """Record of one fit, from the store or new."""
    ids = (spec["dataset"], spec["task"], spec["protocol"], split.repeat, split.fold, noise_id)
    key = store.key_of(
        data=parts.data.meta["digest"],
        split=_digest(split.train, split.test),
        labels=_digest(noisy),
        ids=ids,
        method={name: method[name] for name in ("estimator", "params", "tune")},
        code=method["code"],
    )
    record = kept.get(key)
    if record is None or (spec["retry_failed"] and record["status"] == records.FAILED):
        X_train, X_test = parts.features(split, encoded=takes_encoded(method))
        clean = parts.y[split.train]
        record = fit.run(method, ids, X_train, noisy, X_test, parts.y[split.test])
        record["flipped"] = float(np.mean(clean != noisy))
        kept.add(key, record)
    return {**record, "key": key}


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
            self._encoded = self.data.features.take(split.train), self.data.features.take(split.test).decode()
        train, test = self._encoded
        if encoded:
            return train, test
        if self._plain is None:
            self._plain = train.decode()
        return self._plain, test
