"""Families of estimators and the protocol, each with its version, and the text of the code that it stands for."""

import hashlib
import re
from pathlib import Path

import ironbark
from ironbark.versions import FAMILIES, PROTOCOL, PROTOCOL_CODE, versions_of

PACKAGE = Path(ironbark.__file__).parent
LOCK = Path(__file__).parents[2] / "envs" / "test.lock"
#: Families whose packages ``envs/test.lock`` leaves out (CatBoost, cleanlab), so that they have no golden fits.
WITHOUT = ("adapters",)
#: Name of the JSON file and the module with the cases -> files and folders of the package.
CODE = {name: family.code for name, family in FAMILIES.items() if name not in WITHOUT} | {"protocol": PROTOCOL_CODE}
#: Places where the cases of a family are divided, so that workers of the tests share what takes long to compile.
CUTS = {"trees": (45, 100)}
#: Distributions that numbers of all families depend on, and those of one.
LIBRARIES = ("llvmlite", "numba", "numpy", "scikit-learn", "scipy")
OWN = {"gbdt": ("lightgbm", "xgboost"), "minimax": ("highspy",)}
OWN |= {"corrected_losses": OWN["gbdt"], "ensemble": ("lightgbm",)}
OWN["protocol"] = ("highspy", "lightgbm", "optuna", "xgboost")


def versions(name):
    """Integer of the family and of all that it builds on; golden fits of the protocol use all families."""
    if name != "protocol":
        return versions_of(name)
    return {"protocol": PROTOCOL, **versions_of(*(family for family in CODE if family in FAMILIES))}


def text(name):
    """Hash of the source files as they are."""
    total = hashlib.blake2b(digest_size=16)
    for place in CODE[name]:
        path = PACKAGE / place
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            total.update(f"{file.relative_to(PACKAGE).as_posix()}\n".encode() + file.read_bytes())
    return total.hexdigest()


def locked(name):
    """Version of each library of the family in ``envs/test.lock``."""
    pins = dict(re.findall(r"^([a-z0-9-]+?)(?:-cpu)?==([^\s;]+)", LOCK.read_text(encoding="utf-8"), re.MULTILINE))
    return {library: pins[library] for library in (*LIBRARIES, *OWN.get(name, ()))}
