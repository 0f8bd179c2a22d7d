"""What results depend on besides their inputs: versions for fits, digests of folders of code for all other jobs.

Modules of fits may move and be edited as long as predictions stay, see `ironbark.versions`; other jobs take seconds.
"""

import ast
import functools
import importlib.metadata
import importlib.util
import json
import platform
import sys
from pathlib import Path

from ironbark.errors import InputError
from ironbark.files import digest
from ironbark.pipeline.protocols import PROTOCOLS
from ironbark.versions import FAMILIES, PACKAGES, PROTOCOL, family_of, versions_of

PACKAGE = "ironbark"
ROOT = Path(__file__).parents[2]

#: Distributions whose version is part of every key.
LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba")

_DATA = ("pipeline/data", "pipeline/results/parquet.py", "encoding", "frames.py", "levels.py", "inputs.py")
_OF_PROTOCOLS = {entry.splits.removeprefix("ironbark.").rpartition(".")[0] for entry in PROTOCOLS.values()}
_SPLITS = ("pipeline/protocols/__init__.py", "pipeline/protocols/imputation.py",
           *(f"{module.replace('.', '/')}.py" for module in sorted(_OF_PROTOCOLS)))  # fmt: skip
_RESULTS = (*_DATA, "pipeline/job_specs.py", "pipeline/jobs", "pipeline/statistics", "pipeline/tables",
            "pipeline/published", "pipeline/metrics", "pipeline/results", "pipeline/protocols/scoring.py",
            "pipeline/site/provenance.py")  # fmt: skip

#: Job -> files and folders of the package whose code it runs. What trains a fit has versions instead.
JOBS = {
    "fetch": _DATA,
    "prepare": _DATA,
    "preflight": (*_DATA, *_SPLITS, "pipeline/plan/config"),
    "corrupt": (*_DATA, "pipeline/job_specs.py", "pipeline/jobs/corrupt.py", "noise", "noise_matrix.py", *_SPLITS,
                "pipeline/results"),
    "shard": ("pipeline/job_specs.py", "pipeline/jobs/shard.py", "pipeline/jobs/samples.py",
              "pipeline/jobs/supervisor.py", "pipeline/jobs/cpu_dispatch.py", "pipeline/results"),
    **dict.fromkeys(("score", "table", "compare", "reference", "check_cell"), _RESULTS),
    "figure": (*_RESULTS, "pipeline/figures"),
    "site": (*_RESULTS, "pipeline/figures", "pipeline/site"),
}  # fmt: skip


def code_of_job(job: str, *further: str) -> str:
    """Digest of the code behind a job, and of further files and folders of the package."""
    return code_digest(*JOBS[job], *further)


@functools.cache
def code_digest(*parts: str) -> str:
    """Hexadecimal digest of the text of files and folders of the package, which must be there."""
    paths = sorted({path for part in parts for path in _files(part)})
    return digest(*(f"{path.relative_to(ROOT).as_posix()} {digest(path.read_bytes())}\n".encode() for path in paths))


def _files(part):
    """Files of code below a folder, templates and styles included; or one file."""
    path = ROOT / part
    if path.is_dir():
        return [file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    if not path.is_file():
        raise FileNotFoundError(f"there is no code {part!r} in {ROOT.name}; correct ironbark.pipeline.plan.keys")
    return [path]


def code_of_fits(modules: list, files: tuple = ()) -> dict:
    """What the numbers of a method's fits depend on besides its entry, as JSON."""
    own = {name: own_code(name) for name in sorted(modules) if is_own(name)}
    ours = [name for name in modules if _is_ours(name) and not name.startswith("ironbark.pipeline.protocols")]
    found = {"families": versions_of(*(FAMILIES if own else map(family_of, ours))), "protocol": PROTOCOL}
    found["libraries"] = versions(*packages_of(modules))
    return found | ({"own": own} if own else {}) | ({"files": list(files)} if files else {})


def packages_of(modules: list) -> list:
    """Top-level packages that modules compute with: their own, and those that ours or a user's import."""
    found = {name.split(".")[0] for name in modules} - {PACKAGE}
    found |= {package for start, package in PACKAGES.items() if any(name.startswith(start) for name in modules)}
    for name in filter(is_own, modules):
        found |= {other.split(".")[0] for other in _followed(name)[1]}
    return sorted(found)


def is_own(module: str) -> bool:
    """Whether a module is a user's, so neither ironbark's nor of an installed distribution."""
    return not _is_ours(module) and source(module) is not None


def _is_ours(module):
    return module.split(".", maxsplit=1)[0] == PACKAGE


@functools.cache
def own_code(module: str) -> str:
    """Digest of a user's module and of the user's modules that it imports, directly or not."""
    found = sorted(_followed(module)[0].items())
    return digest(*(f"{name} {digest(path.read_bytes())}\n".encode() for name, path in found))


def refuse_edited(methods: dict) -> None:
    """Raise an `InputError` if a user's module is not as planned: fits would be kept under the key of other code."""
    for method in methods.values():
        for name, planned in method["code"].get("own", {}).items():
            if own_code(name) != planned:
                raise InputError(f"module {name!r}, or one that it imports, was edited during this run; start again")


@functools.cache
def _followed(module):
    """Source files of a user's module and of those of a user that it imports, by name, and the other imports."""
    path = source(module)
    folder = path.parents[module.count(".") + (path.name == "__init__.py")]
    inside, outside, open_ = {}, set(), [module]
    while open_:
        name = open_.pop()
        base = _home(name.split(".")[0], folder).joinpath(*name.split("."))
        path = next((file for file in (base.with_suffix(".py"), base / "__init__.py") if file.is_file()), None)
        if path is None and not base.is_dir():
            outside.add(name)
        elif path and name not in inside:
            inside[name] = path
            open_ += _imports(name, path)
    return inside, outside


def _home(package, folder):
    """Folder of a top-level module or package: that of the module that imports it, or another one of a user's code."""
    beside = (folder / package).is_dir() or (folder / f"{package}.py").is_file()
    if beside or package in sys.stdlib_module_names or not is_own(package):
        return folder
    path = source(package)
    return path.parents[path.name == "__init__.py"]


def _imports(name, path):
    """Dotted names that a module imports, at its top or anywhere in it, and the packages that hold them."""
    try:
        nodes = list(ast.walk(ast.parse(path.read_bytes())))
    except (SyntaxError, ValueError):  # the latter for null bytes
        return []  # which importing the class reports
    found = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    above = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.level <= len(above):  # importing the class reports others
            base = ".".join([*above[: len(above) + 1 - node.level if node.level else 0], *filter(None, [node.module])])
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return sorted(found | {name.rsplit(".", level)[0] for name in found for level in range(1, name.count(".") + 1)})


def digest_of(parts: list) -> str:
    """Digest of specs of jobs, or of other parts that are JSON."""
    return digest(json.dumps(parts, sort_keys=True).encode())


@functools.cache
def source(name: str) -> Path | None:
    """Source file of an ironbark module, or of a user's own module outside of installed distributions."""
    if name.split(".", maxsplit=1)[0] == PACKAGE:
        base = ROOT.joinpath(*name.split(".")[1:])
        return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)
    if not all(map(_is_edited, distributions().get(name.split(".", maxsplit=1)[0], ()))):
        return None
    try:
        spec = importlib.util.find_spec(name)
    except (Exception, SystemExit):  # of the package that holds it
        return None  # importing the class reports it
    return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None


@functools.cache
def _is_edited(distribution):
    """Whether a distribution is a link to its sources (`pip install -e`), which may change under one version."""
    origin = importlib.metadata.distribution(distribution).read_text("direct_url.json")
    return bool(json.loads(origin or "{}").get("dir_info", {}).get("editable"))


def versions(*packages: str) -> dict:
    """Minor version of Python, and versions of `LIBRARIES` and of what installs some top-level packages."""
    names = {*LIBRARIES, *(name for package in packages for name in distributions().get(package, ()))}
    return {"python": ".".join(platform.python_version_tuple()[:2])} | {name: _version(name) for name in sorted(names)}


_version = functools.cache(importlib.metadata.version)


@functools.cache
def distributions() -> dict:
    """Top-level package -> names of the distributions that install it."""
    return importlib.metadata.packages_distributions()
