"""The fits of a pack that a study asks for: a sample is trained again, and if all bits agree, they are imported."""

import json
import math
import os
import random
from pathlib import Path

from ironbark import __version__
from ironbark.files import replacing, write_text
from ironbark.pipeline.data.io.progress import say
from ironbark.pipeline.jobs.fits import requested_fits
from ironbark.pipeline.protocols.scoring import outputs_in, with_scores_only
from ironbark.pipeline.results import packs, records
from ironbark.pipeline.results.array_text import to_array
from ironbark.pipeline.results.pack_lines import without_nan
from ironbark.pipeline.results.store import Store
from ironbark.pipeline.site.provenance import machine

#: Output -> attribute of a fit with its length, None for one value, and most bytes of an element; at most 256 classes.
SHAPES = {
    **{"errors": ("n_test", 1), "decision": ("n_test", 8), "probabilities": ("n_test", 8 * 256)},
    **{"label_quality": ("n_train", 8), "noise_rate": (None, 8)},
}
INNER = ("outputs", "gaps", "scores", "reasons")  # fields of a record that are dicts
LEAST, SHARE = 20, 0.01  # fits that are trained again: so many, or this share of what is new


def run(spec, path, prepared, labels, stores, salts, out):
    """Check a pack and import what the study asks for and the store lacks.

    Every fit is checked before the first is imported. Fits that the store already has must agree with the pack too.

    Parameters
    ----------
    spec : dict
        Keys study, scale and batches, specs of `ironbark.pipeline.plan.specs.Plan.shard`.
    path : path
        The pack.
    prepared : dict
        Data set -> folder of the prepared data.
    labels : dict
        (data set, task) -> file of noisy labels.
    stores : path
        Folder of the store.
    salts : path
        Folder of the random numbers from which samples are drawn.
    out : path
        JSON file with the numbers of fits.

    Raises
    ------
    InputError
        If the pack is refused; then nothing is imported.
    """
    with packs.Pack(path) as pack:
        asked = {}
        for (*place, method), fits in requested_fits.requested(spec["batches"], prepared, labels):
            asked.setdefault(f"store/{'/'.join(place)}.jsonl", {}).setdefault(method, {}).update(fits)
        found, new = _compared(pack, asked, stores)
        if not found:
            _say_unused(pack, spec)
        sample = _sample(pack, new, _salt(Path(salts, f"{pack.digest}.salt")))
        _train_again(pack, asked, sample, (spec["batches"], prepared, labels))
        imported = sum(_imported(stores, name, pack.fits(name), keys) for name, keys in new.items())
    wanted = sum(len(fits) for methods in asked.values() for fits in methods.values())
    numbers = {"asked": wanted, "in_pack": found, "trained_again": len(sample), "imported": imported}
    say(", ".join(f"{name.replace('_', ' ')}: {number}" for name, number in numbers.items()))
    write_text(out, json.dumps({"pack": pack.digest, **numbers}) + "\n")


def _compared(pack, asked, stores):
    """Number of requested fits in the pack, and those that the store lacks, as member -> set of (method, key)."""
    found, new = 0, {}
    for name in pack.members:
        for method, fits in pack.fits(name).items():
            wanted = asked.get(name, {}).get(method, {})
            store = Store(_file(stores, name, method)) if wanted else None
            for key in wanted.keys() & fits.keys():
                found += 1
                _check_shape(pack, wanted[key], fits[key])
                stored = store.get(key)
                if stored is not None and stored["status"] == records.OK:
                    _refuse_other(pack, wanted[key], fits[key], stored, "the store has", only_common=True)
                if _is_lacking(stored, fits[key]):
                    new.setdefault(name, set()).add((method, key))
    return found, new


def _imported(stores, name, fits, keys):
    """Add fits of a member to the stores of their methods; how many these lacked."""
    return sum(
        Store(_file(stores, name, method)).add_missing(
            {key: record for key, record in fits[method].items() if (method, key) in keys}, _is_lacking
        )
        for method in sorted({method for method, _ in keys})
    )


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


def _is_lacking(stored, record):
    """Whether a record is to be imported: the store has none that ended well, or one from which less can be had."""
    return stored is None or stored["status"] == records.FAILED or outputs_in(stored) < outputs_in(record)


def _file(stores, name, method):
    return Path(stores, name.removeprefix("store/").removesuffix(".jsonl"), f"{method}.jsonl")


def _say_unused(pack, spec):
    """Say, or refuse the pack for it, that it has no fit that the study asks for."""
    about, study = pack.manifest, spec["study"]
    if study not in about["studies"]:
        others = packs.printable(", ".join(map(str, about["studies"]))[:200])
        say(f"the pack {pack.path} has no fits of {study}, only of {others}")
        return
    here = {name: version for batch in spec["batches"] for name, version in batch["versions"].items()}
    made = about["versions"] | {"ironbark": about["ironbark"], "scale": about["scale"]}
    here |= {"ironbark": __version__, "scale": spec["scale"]}
    other = [f"{name} {str(made[name])[:20]}, here {here[name]}" for name in sorted(made.keys() & here.keys())
             if made[name] != here[name]]  # fmt: skip
    reason = f"it was made with {'; '.join(other)}" if other else "its data, settings or code differ"
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


def _train_again(pack, asked, sample, inputs):
    """Refuse the pack if one of these fits, trained here, differs from its record."""
    by_member, truth = {}, requested_fits.Labels(*inputs[1:])
    for name, *fit in sample:
        by_member.setdefault(name, []).append(fit)
    for name, found in by_member.items():
        fits = pack.fits(name)
        wanted = [(asked[name][method][key], outputs_in(fits[method][key]) - {"labels"}) for method, key in found]
        for (method, key), (fit, record) in zip(found, requested_fits.trained(*inputs, wanted), strict=True):
            packed = fits[method][key]
            scores_only = "scores" in packed and record["status"] == records.OK
            here = with_scores_only(record, *truth.of(fit)) if scores_only else record
            _refuse_other(pack, fit, packed, here, "training it again here gives")


def _refuse_other(pack, fit, packed, other, said, only_common=False):
    """Refuse the pack if a record differs in more than seconds and memory, bit by bit, or in what both have."""
    packed, other = _columns(packed), _columns(other)
    names = packed.keys() & other.keys() if only_common else packed.keys() | other.keys()
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
    return {name: json.dumps(without_nan(value)) for name, value in (outer | inner).items()}
