"""The stored fits of studies in one file, for another machine."""

import datetime
import os
from pathlib import Path

from ironbark import __version__
from ironbark.pipeline.jobs import requested_fits
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
        (study, data set, task, noise id) -> file of noisy labels.
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
        for name, fits in requested_fits.requested(about["batches"], prepared, own):
            asked.setdefault(name, {}).update(fits)
        for batch in about["batches"]:
            versions |= batch["versions"]
    about = {
        **{"missing": 0, "failed": 0},
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
    for name, fits in sorted(asked.items()):
        store, found = Store(Path(stores, name)), []
        for key, fit in fits.items():
            record = store.get(key)
            if record is not None and record["status"] == records.OK:
                found.append((fit.repeat, fit.fold, key, record))
            else:
                about["missing" if record is None else "failed"] += 1
        if found:
            yield f"store/{name}", found


def _date(stores, names):
    """When the newest of these files of the store was written, unless SOURCE_DATE_EPOCH says otherwise."""
    paths = (Path(stores, name) for name in names)
    newest = max((int(path.stat().st_mtime) for path in paths if path.exists()), default=0)
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", newest))
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat(timespec="seconds")
