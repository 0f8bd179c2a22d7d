"""The stored fits of studies in one file, for another machine."""

import datetime
import os
from pathlib import Path

from ironbark import __version__
from ironbark.errors import InputError
from ironbark.pipeline.jobs.fits import requested_fits
from ironbark.pipeline.protocols.scoring import outputs_in, with_scores_only
from ironbark.pipeline.results import packs, records
from ironbark.pipeline.results.store import Store
from ironbark.pipeline.site.provenance import machine


def run(spec, prepared, labels, stores, licence, out):
    """Write the pack of studies.

    Parameters
    ----------
    spec : dict
        Of `ironbark.pipeline.plan.packs.spec`.
    prepared : dict
        Data set -> folder of the prepared data.
    labels : dict
        (study, data set, task) -> file of noisy labels.
    stores : path
        Folder of the store.
    licence : path
        Text of the licence.
    out : path

    Returns
    -------
    str
        One line for the user.
    """
    asked, versions = {}, {}
    for study, about in spec["studies"].items():
        own = {place[1:]: path for place, path in labels.items() if place[0] == study}
        truth = requested_fits.Labels(prepared, own) if spec["content"] == "scores" else None
        for (*place, method), fits in requested_fits.requested(about["batches"], prepared, own):
            found = asked.setdefault("/".join(place), {}).setdefault(method, {})
            found.update({key: (fit, truth) for key, fit in fits.items()})
        for batch in about["batches"]:
            versions |= batch["versions"]
    about = {
        **{"missing": 0, "failed": 0, "content": spec["content"]},
        **{"ironbark": __version__, "versions": versions, "processor": machine()["processor"]},
        **{"studies": list(spec["studies"]), "scale": spec["scale"], "date": _date(stores, asked)},
        "protocols": {study: about["protocol"] for study, about in spec["studies"].items()},
    }
    texts = {packs.LICENCE: Path(licence).read_text(encoding="utf-8"), packs.DATA: "\n".join(spec["data"]) + "\n"}
    manifest = packs.write(out, about, _stored(stores, asked, about), texts)
    return (
        f"{out}: {manifest['fits']} fits, {Path(out).stat().st_size / 1e6:.1f} MB; "
        f"{manifest['missing']} have not run, {manifest['failed']} failed and are left out"
    )


def _stored(stores, asked, about):
    """Fits of each member that the store has, for `packs.write`; the others are counted in `about`."""
    for place, methods in sorted(asked.items()):
        found = [
            (method, key, record)
            for method, fits in sorted(methods.items())
            for key, record in _records(Store(Path(stores, place, f"{method}.jsonl")), fits, about)
        ]
        if found:
            yield f"store/{place}.jsonl", found


def _records(store, fits, about):
    for key, (fit, truth) in fits.items():
        record = store.get(key)
        if record is None or "labels" not in outputs_in(record):
            about["missing"] += 1
        elif record["status"] != records.OK:
            about["failed"] += 1
        elif truth is None and "scores" in record:
            raise InputError(f"the fit {fit} has scores only, from a pack of scores; pack with pack_content=scores")
        else:
            yield key, record if truth is None else with_scores_only(record, *truth.of(fit))


def _date(stores, asked):
    """When the newest file of these folders of the store was written, unless SOURCE_DATE_EPOCH says otherwise."""
    paths = (Path(stores, place, f"{method}.jsonl") for place, methods in asked.items() for method in methods)
    newest = max((int(path.stat().st_mtime) for path in paths if path.exists()), default=0)
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", newest))
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat(timespec="seconds")
