"""Fingerprints: they cover what a fit really imports, and move with the code of a fit and with nothing else."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pipeline.jobs.rerun import planned_with

from ironbark import boosting
from ironbark.criteria import CRITERIA
from ironbark.pipeline.figures import FIGURES
from ironbark.pipeline.plan.config.methods.estimators import RUNNER, modules
from ironbark.pipeline.plan.fingerprint import NOT_NUMERICAL, closure, fingerprint, versions

SOURCE = Path(__file__).parents[3] / "src"
TREE = "ironbark.RobustDecisionTreeClassifier"

FIT = """
import json, sys
import numpy as np
from ironbark.pipeline.protocols import training
rng = np.random.default_rng(0)
X, y = rng.random((40, 3)), np.arange(40) % 2
loaded = {}
for name, method in json.loads(sys.argv[1]).items():
    training.train(method, ("d", "binary", "p", 0, 0, "clean"), X, y).model.predict(X)
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
    assert {"ironbark.encoding", "ironbark.pipeline.protocols.training", "ironbark.tree.growing.nodes"} <= found
    assert not [
        name
        for name in found
        if name.startswith(("ironbark.pipeline.analysis", "ironbark.pipeline.figures", "ironbark.pipeline.plan"))
    ]


COUNT = """
import json, sys
from ironbark.pipeline.plan.config.methods.estimators import code_of
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
    (place / ".snakemake").mkdir()  # where digests of unchanged files are kept
    return place


@pytest.fixture(scope="module")
def unedited(package):
    return codes(package)


def codes(package):
    done = subprocess.run(
        [sys.executable, "-c", COUNT, str(package)],
        cwd=package,
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
        ("tree/sklearn_export.py", "", "SOMETHING = 1\n", set()),
        ("persistence/archive.py", "", "SOMETHING = 1\n", set()),
        ("files.py", "", "SOMETHING = 1\n", set()),
        ("entries.py", "", "SOMETHING = 1\n", set()),
        ("criteria/__init__.py", "", "SOMETHING = 1\n", set()),
        ("pipeline/metrics/functions.py", "", "SOMETHING = 1\n", set()),
        ("pipeline/metrics/__init__.py", "", "SOMETHING = 1\n", set()),
        ("pipeline/protocols/__init__.py", "", "SOMETHING = 1\n", set()),
        ("pipeline/results/records.py", "", "SOMETHING = 1\n", set()),
        ("pipeline/plan/study/study.py", "", "SOMETHING = 1\n", set()),
        ("pipeline/figures/style.py", "", "SOMETHING = 1\n", set()),
        ("seeding.py", "", "SOMETHING = 1\n", {"gini", "entropy", "misclassification", "sk"}),
        ("encoding/features.py", "", "SOMETHING = 1\n", {"gini", "entropy", "misclassification", "sk"}),
        ("encoding/ranks.py", "", "SOMETHING = 1\n", {"gini", "entropy", "misclassification", "sk"}),
        ("criteria/gini.py", "", "SOMETHING = 1\n", {"gini"}),
        ("criteria/misclassification.py", "", "SOMETHING = 1\n", {"misclassification"}),
        ("tree/growing/nodes.py", "", "SOMETHING = 1\n", {"gini", "entropy", "misclassification"}),
        ("pipeline/protocols/tuning/holdout.py", "", "SOMETHING = 1\n", {"gini", "entropy", "misclassification", "sk"}),
        ("pipeline/analysis/tables/result_table.py", "", "SOMETHING = 1\n", set()),
        ("criteria/twoing.py", "", "SOMETHING = 1\n", set()),
    ],
)
def test_edits(package, unedited, file, before, after, changed):
    path = package / "ironbark" / file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(before, after, 1) if before else text + "\n" + after, encoding="utf-8")
    try:
        new = codes(package)
    finally:
        path.write_text(text, encoding="utf-8")
    assert {name for name in unedited if unedited[name] != new[name]} == changed


def test_no_fit_depends_on_the_noise_models_or_on_diagnostic_estimators():
    for method in planned_with().config["methods"].values():
        used = closure(*RUNNER, *modules(method), without=NOT_NUMERICAL)
        assert not {name for name in used if name.startswith("ironbark.noise.")}
        ours = {name for name in used if name.startswith("ironbark.pipeline.diagnostics.")}
        assert not ours - {method["estimator"].rpartition(".")[0]}


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

    assert module._read("h6_first")[0] == module._read("h6_second")[0] != module._read("h6_third")[0]


def test_boosters_do_not_depend_on_each_other():
    found = {name: closure(*modules({"estimator": f"ironbark.{name}"})) for name in boosting.__all__}
    for name, path in boosting._PUBLIC.items():
        assert path in found[name]
        assert not (set(boosting._PUBLIC.values()) - {path}) & found[name]
    adversarial = closure("ironbark.noise.instance_dependent.adversarial")
    assert boosting._PUBLIC["LogitBoostClassifier"] in adversarial
    assert boosting._PUBLIC["GentleBoostClassifier"] not in adversarial


def test_a_computed_figure_depends_on_what_computes_it():
    assert "ironbark.boosting.stagewise.brownboost" in closure(*FIGURES["weight-reactions"].modules)
    assert "ironbark.boosting.stagewise.brownboost" not in closure("ironbark.pipeline.jobs.artefacts.figure")


def test_optional_libraries_count_where_they_are_imported():
    pytest.importorskip("xgboost")
    for module in ("quadratic_xgb", "robust_xgb"):
        assert any(name.startswith("xgboost") for name in versions(f"ironbark.boosting.gbdt.{module}"))
    assert not any(name.startswith("xgboost") for name in versions("ironbark.tree.classifier"))
