"""Facts about a method's estimator without importing it: its parameters and modules."""

import ast
import functools
import re
from pathlib import Path

from ironbark import _PUBLIC, criteria
from ironbark.entries import lookup, suggestion
from ironbark.errors import InputError
from ironbark.files import sha256
from ironbark.pipeline.plan.config import classes, packages
from ironbark.pipeline.plan.keys import PACKAGE, code_of_fits, source
from ironbark.pipeline.protocols import methods, preprocessing, searches
from ironbark.pipeline.protocols.methods import SEEDS, entries, inner_entries, library


def is_ours(method):
    """Whether a method's estimator is one of ironbark's."""
    return method["estimator"].split(".")[0] == PACKAGE


def class_name(entry):
    """Name of the class of an estimator, without its module."""
    return entry["estimator"].rpartition(".")[2]


def look_up(methods):
    """Import the estimators of other packages that some entries name in one process, not in one for each."""
    paths = dict.fromkeys(path for method in methods for path in _foreign(method))
    classes.look_up([path for path in paths if not packages.missing([path.split(".")[0]])])


def _foreign(method):
    """Import paths of the estimators of other packages in an entry, those that ours are built upon included."""
    for part in inner_entries(method):
        if not _fault(part):  # else `check` refuses it
            yield from _foreign(part)
    if not is_ours(method):
        yield method["estimator"]
    elif library(method["estimator"]) is not None:
        yield _built_upon(method["estimator"])


def _built_upon(estimator):
    """Import path of the class of XGBoost or LightGBM that an estimator of ours is built upon."""
    return f"{library(estimator)}.{estimator.rpartition('.')[2].removeprefix('Robust')}"


def check(method: dict, inner: bool = False) -> set[str]:
    """Tasks of a method; InputError unless it is such a classifier, has these parameters, and can be tuned so."""
    tune, params = method.get("tune", {}), method.get("params", {})
    if seeds := [name for name in _named(method) if str(name).rpartition("__")[2] in SEEDS]:
        raise InputError(f"the seed of each fit is set by the pipeline; take {seeds[0]!r} out")
    searches.check(tune)
    if "trials" in tune:
        _refuse_missing("optuna")
    preprocessing.check(method.get("preprocess"))
    if method.get("preprocess") == preprocessing.CATEGORIES and not methods.takes_encoded(method):
        raise InputError(
            f"`preprocess: categories` is for {' and '.join(methods.ENCODED)}; take one of them, or leave it out"
        )
    if "size" in method and method["size"] not in params:
        raise InputError(
            f"`size` names {method['size']!r}, which is not in params; give it a value there for scales to cap"
        )
    for part in inner_entries(method):
        if fault := _fault(part):
            raise InputError(f"the inner estimator {part['estimator']!r} {fault}")
        check(part, inner=True)
    tasks = set(method.get("tasks", ("binary", "multiclass")))
    if is_ours(method):
        return tasks & _check_ours(method)
    _refuse_missing(method["estimator"])
    if not inner:
        classes.check_kind(method["estimator"])
    classes.check_required(method["estimator"], _named(method))
    _check_foreign(method, _named(method))
    return tasks


def _check_ours(method):
    """Tasks of the criteria of a method of ours; InputError for parameters that it does not have."""
    estimator = method["estimator"]
    if (package := library(estimator)) is not None:
        _refuse_missing(package)
        classes.check_parameters(_built_upon(estimator), _named(method), also=parameters(estimator))
    _refuse_unknown(estimator, _named(method))
    tried, tasks = searches.values_of(method.get("tune", {})), {"binary", "multiclass"}
    for criterion in criteria_of(method):
        entry = criteria.resolve(criterion)
        if criteria.is_custom(criterion):
            _refuse_missing(criterion)
        tasks &= set(entry.tasks)
        for value in [*tried.get(entry.parameter, ()), method.get("params", {}).get(entry.parameter)]:
            if value is not None:
                criteria.check_parameter(criterion, value)
    return tasks


def check_needs(method):
    """Raise InputError for a package in the key ``needs`` of an entry that looks misspelt."""
    known = {*packages.LOCKS, *(path.split(".")[0] for path in _foreign(method))}
    for name in method.get("needs", ()):
        if "/" not in name and name not in known and (hint := suggestion(name, known, "")):
            raise InputError(f"`needs` names the unknown package {name!r}; {hint}")


def _check_foreign(method, names):
    """Parameters of an estimator of another package, and of those within it, such as ``tree__max_depth``."""
    parts = methods.named(method.get("params", {}))
    set_here = [name for name in names if name.partition("__")[0] not in parts or name in method.get("params", {})]
    classes.check_parameters(method["estimator"], set_here)
    for part, entry in parts.items():
        deeper = [name.partition("__")[2] for name in names if name.startswith(f"{part}__")]
        if is_ours(entry):
            _refuse_unknown(entry["estimator"], deeper)
        else:
            _check_foreign(entry, deeper)


def _refuse_unknown(estimator, names):
    """InputError for a parameter that an estimator of ours does not have."""
    known = parameters(estimator)
    for name in names:
        if name not in known and library(estimator) is None:
            raise InputError(f"{estimator} has no parameter {name!r}; {suggestion(name, known)}")


def _named(method):
    """Parameters that an entry sets or tries."""
    return [*method.get("params", {}), *searches.values_of(method.get("tune", {}))]


def _refuse_missing(path):
    top = path.split(".")[0]
    if not packages.missing([top]):
        return
    if top in packages.LOCKS:
        raise InputError(f"it needs the package {top}, which is not installed; run {packages.command([top])}")
    raise InputError(f"there is no package or module {top!r}; install it or correct {path!r}")


def criteria_of(method):
    """Criteria that an estimator of ours may use: the one of its parameters, those of its grid, or its default."""
    if "criterion" not in parameters(method["estimator"]):
        return []
    tried = searches.values_of(method.get("tune", {}))
    default = parameters(method["estimator"])["criterion"]
    return tried.get("criterion", [method.get("params", {}).get("criterion", default)])


@functools.cache
def parameters(estimator):
    """Parameters of an estimator of ours and their defaults, read from its source."""
    return {name: ast.literal_eval(default) for name, default in _constructor(estimator).items()}


def _constructor(estimator):
    """Parameters and syntax trees of their defaults, of a class and its first base with some; may be empty."""
    name = estimator.rpartition(".")[2]
    module = lookup("estimator", name, _PUBLIC) if estimator == f"{PACKAGE}.{name}" else estimator.rpartition(".")[0]
    path = source(module)
    tree = ast.parse(path.read_text(encoding="utf-8") if path else "")
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == name:
            own, is_whole = _declared(node)
            inherited = () if is_whole else (_constructor(base) for base in _bases(node, tree, module))
            first = list(own)[: list(own).index("_")] if "_" in own else []  # before keywords, of bases too
            found = dict.fromkeys(first) | next(filter(None, inherited), {}) | own
            return {name: value for name, value in found.items() if value}
    raise InputError(
        f"unknown estimator {estimator!r}; write it as ironbark.<name>, such as {PACKAGE}.{next(iter(_PUBLIC))}"
    )


def _declared(node):
    """Parameters that a class has itself, and whether these are all: of its ``__init__``, or fields of a data class."""
    for part in node.body:
        if getattr(part, "name", "") == "__init__":
            names = [argument.arg for argument in (*part.args.args[1:], *part.args.kwonlyargs)]
            return dict(zip(names, (*part.args.defaults, *part.args.kw_defaults), strict=True)), True
    return {part.target.id: part.value for part in node.body if isinstance(part, ast.AnnAssign)}, False


def _bases(node, tree, module):
    """Import paths of the bases of a class that are ours."""
    paths = {part.name: f"{module}.{part.name}" for part in tree.body if isinstance(part, ast.ClassDef)}
    for part in tree.body:
        if isinstance(part, ast.ImportFrom) and part.module and part.module.split(".")[0] == PACKAGE:
            paths |= {alias.asname or alias.name: f"{part.module}.{alias.name}" for alias in part.names}
    return [paths[base.id] for base in node.bases if isinstance(base, ast.Name) and base.id in paths]


def modules(method):
    """Modules behind a method: those of its estimators, custom criteria and tuner."""
    module, _, name = method["estimator"].rpartition(".")
    inner = [name for entry in inner_entries(method) for name in modules(entry)]
    further = [*inner, *filter(None, [searches.module_of(method.get("tune", {}))])]
    if not is_ours(method):
        return [module, *further]
    custom = [criteria.module_of(name) for name in criteria_of(method) if criteria.is_custom(name)]
    return [_PUBLIC.get(name, module), *custom, *further]


#: Keys of an estimator within the parameters of another one, and the form of import paths; no schema checks these.
KEYS = ("estimator", "params")
_PATH = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+", re.ASCII)


def _fault(entry):
    """What is wrong with the form of an inner estimator, half a sentence; empty for nothing."""
    estimator, params = entry["estimator"], entry.get("params", {})
    if not isinstance(estimator, str) or not _PATH.fullmatch(estimator):
        return "is no import path; write one such as 'sklearn.tree.DecisionTreeClassifier'"
    if odd := [key for key in entry if key not in KEYS]:
        return f"has the unknown key {odd[0]!r}; {suggestion(odd[0], KEYS, 'it may have {} only')}"
    return "" if isinstance(params, dict) else f"has no parameters in `params`, but {params!r}; write names and values"


def code_of(method, needs=()):
    """What the numbers of a method's fits depend on besides its entry; the content of the files in `needs` counts."""
    paths = [Path(name) for name in needs if "/" in name and not packages.missing([name])]
    files = [_digest(path, path.stat().st_mtime_ns) for path in paths]
    names = set(modules(method))
    chosen = "'categorical_features'" in str(method)  # also of an inner estimator, or in a grid
    if chosen or method.get("preprocess") == preprocessing.CATEGORIES:
        names.add("ironbark.tree.growing.levels")
    if "'loss'" in str(method) and any(name.startswith("ironbark.boosting.gbdt") for name in names):
        names.add("ironbark.boosting.gbdt.losses.corrections")
    if chooses_price(method):
        single = "ironbark.tree.classifier" in names
        names.add(f"ironbark.tree.{'cross_validation' if single else 'size_selection'}")
    return code_of_fits(sorted(names), files)


#: Estimators whose default forest, or a forest of their own, chooses its price of pruning.
WITH_FORESTS = ("CleanedClassifier", "NoiseCorrectedClassifier", "RobustEnsembleClassifier")


def chooses_price(method):
    """Whether trees or forests of ours choose a price of pruning in a fit, those within the estimator included."""
    params, tried = method.get("params", {}), searches.values_of(method.get("tune", {}))
    if any(map(chooses_price, entries([*params.values(), *tried.values()]))):
        return True
    prices = [price for name, values in tried.items() if name.endswith("__ccp_alpha") for price in values]
    learners = tried.get("estimator", [params.get("estimator")])
    if is_ours(method):
        default = parameters(method["estimator"]).get("ccp_alpha", 0.0)
        prices += tried.get("ccp_alpha", [params.get("ccp_alpha", default)])
    by_default = class_name(method) in WITH_FORESTS and is_ours(method) and None in learners
    return by_default or not all(isinstance(price, (int, float)) for price in prices)


@functools.cache
def _digest(file, time):  # noqa: ARG001 - what is read depends on it
    return sha256(file)
