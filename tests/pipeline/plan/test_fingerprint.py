"""Fingerprints: they cover what a fit really imports, and move with the code of a fit and with nothing else."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ironbark import boosting
from ironbark.criteria import CRITERIA
from ironbark.pipeline.analysis.kinds import COMPUTED
from ironbark.pipeline.plan.config.estimators import RUNNER, modules
from ironbark.pipeline.plan.fingerprint import closure, fingerprint, versions

SOURCE = Path(__file__).parents[3] / "src"
TREE = "ironbark.RobustDecisionTreeClassifier"

FIT = """
import json, sys
import numpy as np
from ironbark.pipeline.protocols import fit
rng = np.random.default_rng(0)
X, y = rng.random((40, 3)), np.arange(40) % 2
loaded = {}
for name, method in json.loads(sys.argv[1]).items():
    row = fit.run(method, ("d", "binary", "p", 0, 0, "clean"), X, y, X, y)
    assert row["status"] == "ok", row
    loaded[name] = sorted(m for m in sys.modules if m.startswith("ironbark."))
print(json.dumps(loaded))
"""


def methods():
    """Method -> entry; the order makes the imports of earlier ones a part of later ones."""
    found = {name: {"estimator": TREE, "params": {"criterion": name}, "tune": {}} for name in CRITERIA}
    found["default"] = {"estimator": TREE, "params": {}, "tune": {}}
    return found


def test_closure_covers_what_a_fit_imports():
    text = json.dumps(methods())
    done = subprocess.run(
        [sys.executable, "-c", FIT, text],
        env={"PYTHONPATH": str(SOURCE), "PATH": "/usr/bin:/bin", "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded, earlier = json.loads(done.stdout), set()
    for name, method in methods().items():
        earlier |= closure(*RUNNER, *modules(method))
        missed = set(loaded[name]) - earlier - {"ironbark.annotations"}  # types change no result
        assert not missed, f"{name}: a fit imports {sorted(missed)}, which its fingerprint leaves out"


def test_closure_of_a_fit_holds_its_criterion_only():
    for name, method in methods().items():
        if name in CRITERIA:
            found = closure(*RUNNER, *modules(method))
            own = CRITERIA[name].module
            assert own in found
            others = {entry.module for entry in CRITERIA.values()} - closure(own)
            assert not others & found


def test_closure_leaves_out_what_only_tables_need():
    found = closure(*RUNNER, "ironbark.tree.classifier")
    assert {"ironbark.encoding", "ironbark.pipeline.protocols.fit", "ironbark.tree.growing.nodes"} <= found
    assert not [
        name
        for name in found
        if name.startswith(("ironbark.pipeline.analysis", "ironbark.pipeline.figures", "ironbark.pipeline.plan"))
    ]


COUNT = """
import json, sys
from ironbark.pipeline.plan.config.estimators import code_of
from ironbark.pipeline.plan.fingerprint import ROOT
assert str(ROOT).startswith(sys.argv[1]), ROOT
tree = "ironbark.RobustDecisionTreeClassifier"
codes = {n: code_of({"estimator": tree, "params": {"criterion": n}}) for n in ("gini", "entropy", "misclassification")}
codes["sk"] = code_of({"estimator": "sklearn.tree.DecisionTreeClassifier"})
print(json.dumps(codes))
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    place = tmp_path_factory.mktemp("package")
    shutil.copytree(SOURCE / "ironbark", place / "ironbark", ignore=shutil.ignore_patterns("__pycache__"))
    return place


def codes(package):
    done = subprocess.run(
        [sys.executable, "-c", COUNT, str(package)],
        env={"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("file", "before", "after", "changed"),
    [
        ("criteria/gini.py", "", "# a comment\n\n", set()),
        ("criteria/gini.py", '"""', '"""Another docstring. ', set()),
        ("tree/classifier.py", "max_depth: int | None = None", "max_depth=None", set()),
        ("tree/classifier.py", "def get_depth(self) -> int", "def get_depth(self)", set()),
        (
            "tree/classifier.py",
            "max_depth: int | None = None",
            "max_depth: int | None = 9",
            {"gini", "entropy", "misclassification"},
        ),
        ("annotations.py", "", "SOMETHING = 1\n", set()),
        ("criteria/gini.py", "", "SOMETHING = 1\n", {"gini"}),
        ("criteria/misclassification.py", "", "SOMETHING = 1\n", {"misclassification"}),
        ("tree/growing/nodes.py", "", "SOMETHING = 1\n", {"gini", "entropy", "misclassification"}),
        ("pipeline/protocols/tuning/holdout.py", "", "SOMETHING = 1\n", {"gini", "entropy", "misclassification", "sk"}),
        ("pipeline/analysis/tables/result_table.py", "", "SOMETHING = 1\n", set()),
        ("criteria/twoing.py", "", "SOMETHING = 1\n", set()),
    ],
)
def test_edits(package, file, before, after, changed):
    path, old = package / "ironbark" / file, codes(package)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(before, after, 1) if before else text + "\n" + after, encoding="utf-8")
    try:
        new = codes(package)
    finally:
        path.write_text(text, encoding="utf-8")
    assert {name for name in old if old[name] != new[name]} == changed


def test_order_of_roots_does_not_matter():
    assert fingerprint("ironbark.pipeline.results.store", "ironbark.pipeline.results.records") == fingerprint(
        "ironbark.pipeline.results.records", "ironbark.pipeline.results.store"
    )
    assert fingerprint("ironbark.pipeline.results.store") != fingerprint("ironbark.pipeline.results.records")


def test_versions_name_the_distribution_of_a_foreign_estimator():
    found = versions("yaml.loader")
    assert {"python", "numpy", "scipy", "scikit-learn", "numba", "pandas"} <= set(found)
    assert set(found) - set(versions("ironbark.pipeline.results.store")) == {"PyYAML"}


def test_a_users_own_module_counts_by_its_source(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "h6_first.py").write_text("class A: pass\n")
    (tmp_path / "h6_second.py").write_text("class A: pass  # comment\n")
    (tmp_path / "h6_third.py").write_text("class A: x = 1\n")
    digests = [fingerprint("ironbark.errors", name) for name in ("h6_first", "h6_third")]
    assert digests[0] != digests[1]
    from ironbark.pipeline.plan import fingerprint as module

    assert module._module_digest("h6_first") == module._module_digest("h6_second") != module._module_digest("h6_third")


def test_boosters_do_not_depend_on_each_other():
    found = {name: closure(*modules({"estimator": f"ironbark.{name}"})) for name in boosting.__all__}
    for name, path in boosting._PUBLIC.items():
        assert path in found[name]
        assert not (set(boosting._PUBLIC.values()) - {path}) & found[name]
    adversarial = closure("ironbark.noise.adversarial")
    assert boosting._PUBLIC["LogitBoostClassifier"] in adversarial
    assert boosting._PUBLIC["GentleBoostClassifier"] not in adversarial


def test_a_computed_figure_depends_on_what_computes_it():
    assert "ironbark.boosting.stagewise.brownboost" in closure(*COMPUTED["weight-reactions"])
    assert "ironbark.boosting.stagewise.brownboost" not in closure("ironbark.pipeline.jobs.figure")


def test_optional_libraries_count_where_they_are_imported():
    pytest.importorskip("xgboost")
    for module in ("quadratic_xgb", "robust_xgb"):
        assert any(name.startswith("xgboost") for name in versions(f"ironbark.boosting.gbdt.{module}"))
    assert not any(name.startswith("xgboost") for name in versions("ironbark.tree.classifier"))


IMPORTS = (
    "from ironbark import annotations as t",
    "from ironbark.annotations import ",
    "from typing import ",
    "from scipy.sparse import",
    "from numpy.typing import ",
)
SKIPPING = {"jit.py", "pipeline/jobs/corrupt.py", "pipeline/protocols/fit.py", "pipeline/protocols/methods.py"}


def test_lines_that_do_not_count():
    """Only in these files, and the fits that they are not for are the same without them."""
    from ironbark.pipeline.plan.fingerprint import ROOT, SKIP, TYPES

    lines = {path: path.read_text("utf-8").splitlines() for path in ROOT.rglob("*.py") if path.name != "fingerprint.py"}
    found = {str(path.relative_to(ROOT)) for path, text in lines.items() if any(line.endswith(SKIP) for line in text)}
    assert found == SKIPPING
    typed = {line.partition(TYPES)[0].strip() for text in lines.values() for line in text if line.endswith(TYPES)}
    assert typed and all(line == "if TYPE_CHECKING:" or line.startswith(IMPORTS) for line in typed)


ONE_FIT = """
import sys
import numpy as np
from ironbark.pipeline.results import records
from ironbark.pipeline.plan.fingerprint import fingerprint
from ironbark.pipeline.protocols import fit
rng = np.random.default_rng(0)
X, y = rng.random((60, 3)), np.arange(60) % 2
params = {"n_estimators": 3, "estimator": {"estimator": "sklearn.tree.DecisionTreeClassifier"}}
method = {"estimator": "sklearn.ensemble.AdaBoostClassifier", "params": params, "tune": {}}
row = fit.run(method, ("d", "binary", "p", 0, 0, "clean"), X[::2], y[::2], X[1::2], y[1::2])
assert row["status"] == "ok", row
print({name: value for name, value in row.items() if name not in records.TIMINGS}, fingerprint(*sys.argv[1:]))
"""


def test_fits_are_the_same_without_the_lines_that_do_not_count(tmp_path):
    from ironbark.pipeline.plan.fingerprint import SKIP

    shutil.copytree(SOURCE / "ironbark", tmp_path / "ironbark")
    for name in SKIPPING:
        path = tmp_path / "ironbark" / name
        kept = [line for line in path.read_text("utf-8").splitlines() if not line.endswith(SKIP)]
        path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    printed = [
        subprocess.run(
            [sys.executable, "-c", ONE_FIT, *RUNNER, "ironbark.pipeline.jobs.corrupt"],
            env={"PYTHONPATH": str(place), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for place in (tmp_path, SOURCE)
    ]
    assert printed[0] == printed[1]
