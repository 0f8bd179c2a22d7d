"""The stored fits of studies in one file for another machine, and the fits of such a file that a study asks for.

An import trains a random sample of the fits again; if all bits agree, the fits are added to the store.
"""

import datetime
import itertools
import json
import math
import operator
import os
import random
from pathlib import Path

from ironbark import __version__
from ironbark.errors import InputError
from ironbark.files import replacing, write_text
from ironbark.pipeline.job_specs import Shard
from ironbark.pipeline.jobs import requested_fits
from ironbark.pipeline.jobs.samples import Samples
from ironbark.pipeline.log import say
from ironbark.pipeline.protocols.scoring import outputs_in, with_scores_only
from ironbark.pipeline.results import packs, records
from ironbark.pipeline.results.store import Store, to_array
from ironbark.pipeline.site.provenance import machine
from ironbark.versions import FAMILIES, PROTOCOL

#: Output -> attribute of a fit with its length, None for one value, and most bytes of an element; at most 256 classes.
SHAPES = {
    **{"errors": ("n_test", 1), "decision": ("n_test", 8), "probabilities": ("n_test", 8 * 256)},
    **{"label_quality": ("n_train", 8), "called_errors": ("n_train", 1), "noise_rate": (None, 8)},
}
INNER = ("outputs", "gaps", "scores", "reasons")  # fields of a record that are dicts
LEAST, SHARE = 20, 0.01  # fits that are trained again: so many, or this share of what is new


def write(spec: dict, samples: dict, stores, licence, out) -> str:
    """Write the pack of a spec of `ironbark.pipeline.plan.packs.spec`, with the `Samples` of each study; one line."""
    asked, all_batches = {}, []  # (member, method) -> key -> its fit, and what gives the labels to score it with
    for study, about in spec["studies"].items():
        truth = samples[study].truth if spec["content"] == "scores" else None
        batches = [*map(Shard.of, about["batches"])]
        for place, fits in requested_fits.requested(batches, samples[study]).items():
            asked.setdefault(place, {}).update({key: (fit, truth) for key, fit in fits.items()})
        all_batches += batches
    about = {
        **{"missing": 0, "failed": 0, "content": spec["content"]},
        **{"ironbark": __version__, "versions": _versions(all_batches), "processor": machine()["processor"]},
        **{"studies": list(spec["studies"]), "scale": spec["scale"], "date": _date(stores, asked)},
        "protocols": {study: about["protocol"] for study, about in spec["studies"].items()},
    }
    texts = {packs.LICENCE: Path(licence).read_text(encoding="utf-8"), packs.DATA: "\n".join(spec["data"]) + "\n"}
    stored = _stored(stores, asked, about)
    if (first := next(stored, None)) is None:
        names = " ".join(Path(name).name for name in spec["studies"])  # a part is built by the target of its study
        raise InputError(f"no fit to pack is stored; run `snakemake --cores N {names}` with the same --config first")
    manifest = packs.write(out, about, itertools.chain([first], stored), texts)
    return (
        f"{out}: {manifest['fits']} fits, {Path(out).stat().st_size / 1e6:.1f} MB; "
        f"{manifest['missing']} have not run, {manifest['failed']} failed and are left out"
    )


def _versions(batches):
    """Versions of libraries, of the families of estimators and of the protocol that fits of batches depend on."""
    families = {f"version of {name}": str(family.version) for name, family in FAMILIES.items()}
    libraries = {name: version for batch in batches for name, version in batch.versions.items()}
    return libraries | families | {"version of the protocol": str(PROTOCOL)}


def _stored(stores, asked, about):
    """Fits of each member that the store has, for `packs.write`; the others are counted in `about`."""
    for name, places in itertools.groupby(sorted(asked), key=operator.itemgetter(0)):
        found = [
            (place[1], key, record)
            for place in places
            for key, record in _records(Store(_file(stores, *place)), asked[place], about)
        ]
        if found:
            yield name, found


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
            yield key, record if truth is None else with_scores_only(record, *truth(*fit[:3], fit.repeat, fit.fold))


def _date(stores, asked):
    """When the newest of these files of the store was written, unless SOURCE_DATE_EPOCH says otherwise."""
    paths = (_file(stores, *place) for place in asked)
    newest = max((int(path.stat().st_mtime) for path in paths if path.exists()), default=0)
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", newest))
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat(timespec="seconds")


def _file(stores, name, method):
    return Path(stores, name.removeprefix("store/").removesuffix(".jsonl"), f"{method}.jsonl")


def import_fits(spec: dict, path, samples: Samples, stores, salts, out) -> None:
    """Import what a study asks for and the store lacks, or nothing; `salts` has random bytes that samples come from."""
    ((study, about),) = spec["studies"].items()
    batches = [*map(Shard.of, about["batches"])]
    with packs.Pack(path) as pack:
        asked = requested_fits.requested(batches, samples)
        found, new = _compared(pack, asked, stores, samples)
        if not found:
            _say_unused(pack, study, spec["scale"], batches)
        sample = _sample(pack, new, _salt(Path(salts, f"{pack.digest}.salt")))
        _train_again(pack, asked, sample, batches, samples)
        imported = sum(_imported(stores, name, pack.fits(name), keys) for name, keys in new.items())
    numbers = {"asked": sum(map(len, asked.values())), "in_pack": found}
    numbers |= {"trained_again": len(sample), "imported": imported}
    say(", ".join(f"{name.replace('_', ' ')}: {number}" for name, number in numbers.items()))
    write_text(out, json.dumps({"pack": pack.digest, **numbers}) + "\n")


def _compared(pack, asked, stores, samples):
    """Number of requested fits in the pack, and those that the store lacks, as member -> set of (method, key)."""
    found, new = 0, {}
    for name in pack.members:
        for method, fits in pack.fits(name).items():
            wanted = asked.get((name, method), {})
            store = Store(_file(stores, name, method)) if wanted else None
            for key in wanted.keys() & fits.keys():
                found += 1
                _check_shape(pack, wanted[key], fits[key])
                stored = store.get(key)
                if stored is not None and stored["status"] == records.OK:
                    _refuse_other(pack, wanted[key], fits[key], stored, samples, "the store has", only_common=True)
                if _is_lacking(stored, fits[key]):
                    _check_scores(pack, wanted[key], fits[key], samples)
                    new.setdefault(name, set()).add((method, key))
    return found, new


def _imported(stores, name, fits, keys):
    """Add fits of a member to the stores of their methods; how many these lacked."""
    count = 0
    for method in sorted({method for method, _ in keys}):
        new = {key: record for key, record in fits[method].items() if (method, key) in keys}
        count += Store(_file(stores, name, method)).add_missing(new, _is_lacking)
    return count


def _check_shape(pack, fit, record):
    """Refuse the pack if a record is not of the split of its fit, or has outputs that cannot be read."""
    for name in ("repeat", "fold", "n_train", "n_test"):
        if record[name] != getattr(fit, name):
            raise pack.refusal(f"the fit {fit} has {name} {record[name]}, the noisy labels here {getattr(fit, name)}")
    for name, text in record.get("outputs", {}).items():
        length, most = SHAPES[name]
        samples = getattr(fit, length) if length else 1
        try:
            array = to_array(text, samples * most)
        except ValueError as error:
            raise pack.refusal(f"the fit {fit} has damaged {name} ({error})") from None
        if len(array) != samples:
            raise pack.refusal(f"the fit {fit} has {len(array)} {name} for {samples} samples")


def _check_scores(pack, fit, record, samples):
    """Refuse the pack if a record has outputs that cannot be scored."""
    if "outputs" not in record:
        return
    labels = samples.truth(*fit[:3], fit.repeat, fit.fold)
    try:
        with_scores_only(record, *labels)
    except (ValueError, IndexError) as error:
        raise pack.refusal(f"the fit {fit} has outputs that cannot be scored ({error})") from None


def _is_lacking(stored, record):
    """Whether a record is to be imported: the store has none that ended well, or one from which less can be had."""
    return stored is None or stored["status"] == records.FAILED or outputs_in(stored) < outputs_in(record)


def _say_unused(pack, study, scale, batches):
    """Say, or refuse the pack for it, that it has no fit that the study asks for."""
    about = pack.manifest
    if Path(study).name not in {Path(str(name)).name for name in about["studies"]}:  # or a part of it
        others = packs.printable(", ".join(map(str, about["studies"]))[:200])
        say(f"the pack {pack.path} has no fits of {study}, only of {others}")
        return
    here = _versions(batches) | {"ironbark": __version__, "scale": scale}
    made = about["versions"] | {"ironbark": about["ironbark"], "scale": about["scale"]}
    names = sorted(name for name in made.keys() & here.keys() if made[name] != here[name])
    other = "; ".join(f"{name} {str(made[name])[:20]}, here {here[name]}" for name in names)
    reason = f"it was made with {other}" if other else "its data, settings or code differ"
    raise pack.refusal(f"none of its fits is one that {study} asks for here: {reason}")


def _sample(pack, new, salt):
    """Fits to train again, as sorted list of (member, method, key); nobody who lacks the salt can foresee them."""
    fits = sorted((name, *fit) for name, found in new.items() for fit in found)
    size = min(len(fits), max(LEAST, math.ceil(SHARE * len(fits))))
    return sorted(random.Random(pack.digest.encode() + salt).sample(fits, size))


def _salt(path):
    """Random bytes of this machine for a pack, kept so that a restart draws the same sample."""
    if not path.exists():
        with replacing(path) as side:
            side.write_bytes(os.urandom(32))
    return path.read_bytes()


def _train_again(pack, asked, sample, batches, samples):
    """Refuse the pack if one of these fits, trained here, differs from its record."""
    by_member = {}
    for name, *fit in sample:
        by_member.setdefault(name, []).append(fit)
    for name, found in by_member.items():
        fits = pack.fits(name)
        wanted = [(asked[name, method][key], outputs_in(fits[method][key]) - {"labels"}) for method, key in found]
        for (method, key), (fit, record) in zip(found, requested_fits.trained(batches, samples, wanted), strict=True):
            _refuse_other(pack, fit, fits[method][key], record, samples, "training it again here gives")


def _refuse_other(pack, fit, packed, other, samples, said, only_common=False):
    """Refuse the pack if a record differs in more than seconds and memory, bit by bit, or in what both have."""
    if "scores" in packed and "outputs" in other:
        other = with_scores_only(other, *samples.truth(*fit[:3], fit.repeat, fit.fold))
    packed, other = _columns(packed), _columns(other)
    newer = {name.removeprefix("scores ") for name in other.keys() - packed.keys() if name.startswith("scores ")}
    apart = {f"{kind} {name}" for kind in ("scores", "reasons") for name in newer}  # metrics newer than the pack
    names = packed.keys() & other.keys() if only_common else packed.keys() | other.keys() - apart
    for name in sorted(names - set(records.MEASURED)):
        values = [columns.get(name, "nothing") for columns in (packed, other)]
        if values[0] != values[1]:
            processor, here = pack.manifest["processor"][:60], machine()["processor"]
            where = f" (made on {processor}; this is {here})" * (processor != here)
            shown = [value[:80] for value in values]
            raise pack.refusal(f"the fit {fit} has {name} {shown[0]}, {said} {shown[1]}{where}")


def _columns(record):
    """Name -> JSON text of what a record holds, each output and score by itself."""
    inner = {f"{kind} {name}": text for kind in INNER for name, text in record.get(kind, {}).items()}
    outer = {name: value for name, value in record.items() if name not in INNER}
    return {name: json.dumps(packs.without_nan(value)) for name, value in (outer | inner).items()}
