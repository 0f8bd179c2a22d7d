"""What results depend on: versions for fits, the text of folders of code for all other jobs."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ironbark
from ironbark.errors import InputError
from ironbark.pipeline.figures import FIGURES
from ironbark.pipeline.plan import keys
from ironbark.pipeline.plan.config import estimators
from ironbark.pipeline.tables import TABLES
from ironbark.tree import classifier, forest
from ironbark.versions import FAMILIES, PACKAGES, PROTOCOL_CODE, family_of, versions_of

ROOT = Path(__file__).parents[3]
TREE = "ironbark.RobustDecisionTreeClassifier"
SKLEARN = {"estimator": "sklearn.tree.DecisionTreeClassifier"}

#: Code that no result depends on: names, messages, checks of input, files, other forms of models.
PLUMBING = ("annotations", "boosting/docstrings", "entries", "errors", "files", "memory", "versions", "pipeline/log")

#: Forks a process for each list of modules, which all have what takes long to import.
LOADED = """
import importlib, json, multiprocessing, sys
import numba, pandas, sklearn.ensemble


def loaded(modules):
    for name in modules:
        importlib.import_module(name)
    return sorted(sys.modules)


with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
    print(json.dumps(pool.map(loaded, json.loads(sys.argv[1]), chunksize=1)))
"""


def loaded(*lists):
    """What processes have imported after these modules: modules of ironbark as paths, and top-level packages."""
    command = [sys.executable, "-c", LOADED, json.dumps(lists)]
    variables = {"PYTHONPATH": str(ROOT / "src"), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for names in json.loads(done.stdout):
        own = [name.removeprefix("ironbark.") for name in names if name.startswith("ironbark.")]
        yield {name.replace(".", "/") for name in own}, {name.split(".")[0] for name in names}


def outside(paths, *parts):
    """Those among the paths of modules that are in none of these files and folders of code."""
    parts = tuple(part.removesuffix(".py") for part in (*parts, *PLUMBING))
    return {path for path in paths if not any(path == part or path.startswith(f"{part}/") for part in parts)
            and not (keys.ROOT / path).is_dir()}  # fmt: skip


ALL_FAMILIES = tuple(part for family in FAMILIES.values() for part in family.code)
BUILDERS = {
    "table": {kind.builder.rpartition(".")[0] for kind in TABLES.values()},
    "figure": {kind.builder.rpartition(".")[0] for kind in FIGURES.values()},
}


#: Job, its module, and what it may import beyond its folders.
JOBS = [
    ("fetch", "data.fetch", ()),
    ("prepare", "data.prepare", ("jit.py",)),
    *((job, f"jobs.{job}", ALL_FAMILIES) for job in ("corrupt", "score", "site")),
    ("table", "jobs.artefacts", ()),
    ("figure", "jobs.artefacts", ALL_FAMILIES),
    ("compare", "jobs.artefacts", ()),
    *((job, f"jobs.{job}", ()) for job in ("reference", "check_cell")),
]


def test_the_folders_of_a_job_hold_all_that_it_imports():
    lists = [[f"ironbark.pipeline.{module}", *sorted(BUILDERS.get(job, ()))] for job, module, _ in JOBS]
    for (job, _, further), (paths, _) in zip(JOBS, loaded(*lists), strict=True):
        assert not outside(paths, *keys.JOBS[job], *further), job


STARTS = ("ironbark.tree", "ironbark.boosting", "ironbark.label_errors", "ironbark.noise_correction")
ESTIMATORS = sorted(module for module in set(ironbark._PUBLIC.values()) if module.startswith(STARTS))


def test_the_families_of_an_estimator_hold_all_that_it_imports():
    for name, (paths, packages) in zip(ESTIMATORS, loaded(*([name] for name in ESTIMATORS)), strict=True):
        families = versions_of(family_of(name))
        assert not outside(paths, *(part for family in families for part in FAMILIES[family].code)), name
        declared = {package for start, package in PACKAGES.items() if name.startswith(start)}
        assert set(PACKAGES.values()) & packages <= declared, name
    assert "matplotlib" not in next(loaded(["ironbark.pipeline.figures"]))[1], "planning would take longer"


def test_all_code_that_keys_name_is_there_and_every_method_has_versions(shipped):
    for parts in (*keys.JOBS.values(), *(family.code for family in FAMILIES.values()), PROTOCOL_CODE):
        assert len(keys.code_digest(*parts)) == 32
    with pytest.raises(ValueError, match=r"belongs to no family; add it in ironbark\.versions"):
        family_of("ironbark.noise.models")
    with pytest.raises(FileNotFoundError, match="there is no code 'pipeline/jobs/table'"):
        keys.code_digest("pipeline/jobs/table")
    for method in shipped.config["methods"].values():
        code = estimators.code_of(method)
        assert set(code) == {"families", "protocol", "libraries"}
        assert bool(code["families"]) == method["estimator"].startswith("ironbark.")


#: Jobs from the scores of fits to the site; an edit of the code of any makes them again, which takes seconds.
RESULTS = {"score", "table", "figure", "compare", "reference", "check_cell", "site"}


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package."""
    folder = tmp_path_factory.mktemp("checkout") / "ironbark"
    return shutil.copytree(ROOT / "src/ironbark", folder, ignore=shutil.ignore_patterns("__pycache__"))


@pytest.mark.parametrize(
    ("file", "jobs"),
    [
        ("pipeline/data/csv_files.py", {"fetch", "prepare", "preflight", "corrupt", *RESULTS}),
        ("noise/models.py", {"corrupt"}),
        ("pipeline/metrics/functions.py", RESULTS),
        ("pipeline/tables/layout.py", RESULTS),
        ("pipeline/jobs/shard.py", {"shard", *RESULTS}),
        ("pipeline/figures/style.py", {"figure", "site"}),
        ("pipeline/site/render.py", {"site"}),
        ("pipeline/plan/study/study.py", set()),
        ("tree/growing/nodes.py", set()),
        ("pipeline/protocols/splitting.py", {"corrupt", "preflight"}),
    ],
)
def test_an_edit_makes_again_what_depends_on_it_and_trains_nothing(package, monkeypatch, file, jobs):
    monkeypatch.setattr(keys, "ROOT", package)
    digests = []
    for _ in range(2):
        keys.code_digest.cache_clear()
        digests.append({job: keys.code_of_job(job) for job in keys.JOBS})
        with open(package / file, "a", encoding="utf-8") as stream:
            stream.write("\n# edited\n")
    keys.code_digest.cache_clear()
    assert {job for job in keys.JOBS if digests[0][job] != digests[1][job]} == jobs


BUILT_ON = {
    TREE: {"trees", "pruning", "tree_pruning"},
    "ironbark.LogitBoostClassifier": {"trees", "stagewise"},
    "ironbark.AdaBoostClassifier": {"trees", "stagewise", "adaboost"},
    "ironbark.RMBoostClassifier": {"trees", "stagewise", "minimax"},
    "ironbark.LabelErrorDetector": {"trees", "stagewise", "label_errors", "detectors"},
    "ironbark.RobustEnsembleClassifier": {"trees", "pruning", "stagewise", "gbdt", "ensemble"},
    "ironbark.NoiseCorrectedClassifier": {"trees", "pruning", "stagewise", "label_errors", "correction"},
    SKLEARN["estimator"]: set(),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_a_raised_version_changes_the_keys_of_its_family_and_of_those_that_build_on_it(monkeypatch, name):
    before, family = {path: estimators.code_of({"estimator": path}) for path in BUILT_ON}, FAMILIES[name]
    monkeypatch.setitem(FAMILIES, name, type(family)(99, family.code, family.builds_on))
    for path, families in BUILT_ON.items():
        assert (estimators.code_of({"estimator": path}) != before[path]) == (name in families)
    monkeypatch.setattr(keys, "PROTOCOL", 99)
    assert all(estimators.code_of({"estimator": path}) != code for path, code in before.items())


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Function that writes modules of a user anew; two underscores separate folders."""

    def write(**files):
        for folder in (tmp_path / "elsewhere", tmp_path):
            monkeypatch.syspath_prepend(folder)
        for name, text in files.items():
            path = tmp_path.joinpath(*name.split("__")).with_suffix(".py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        for kept in (keys._followed, keys.own_code, keys.source):
            kept.cache_clear()

    return write


def test_splits_by_levels_and_corrected_losses_have_versions_of_their_own():
    more = {}, {"preprocess": "categories"}, {"params": {"categorical_features": [0]}}
    plain, *levels = (estimators.code_of({"estimator": TREE} | each)["families"] for each in more)
    assert levels == [versions_of("categories", "tree_pruning")] * 2 == [plain | versions_of("categories")] * 2
    boosters = {"estimator": "ironbark.RobustXGBClassifier"}, {"tune": {"grid": {"loss": ["peer", "bootstrap"]}}}
    plain, corrected = (estimators.code_of(boosters[0] | more)["families"] for more in ({}, boosters[1]))
    assert corrected == plain | versions_of("corrected_losses") != plain


DUMMY = {"estimator": "sklearn.dummy.DummyClassifier"}
VOTE = {"estimator": "sklearn.ensemble.VotingClassifier", "params": {"estimators": [["a", {"estimator": TREE}]]}}


@pytest.mark.parametrize(
    ("entry", "chosen"),
    [
        ({"estimator": TREE, "params": {"ccp_alpha": [0.0, 0.1]}}, True),
        ({"estimator": TREE, "params": {"ccp_alpha": 0}}, False),
        ({"estimator": TREE, "params": {"ccp_alpha": 0.0}, "tune": {"grid": {"ccp_alpha": ["auto", 0.0]}}}, True),
        ({"estimator": TREE, "tune": {"grid": {"ccp_alpha": [0.1, 0.0]}}}, False),
        (VOTE | {"params": {}, "tune": {"grid": {"a__ccp_alpha": [0.1, "auto"]}}}, True),
        ({"estimator": "ironbark.LabelErrorDetector"}, False),  # averages over prices
        ({"estimator": "ironbark.CleanedClassifier", "params": {"estimator": None}}, True),
        ({"estimator": "ironbark.CleanedClassifier", "tune": {"grid": {"estimator": [DUMMY, None]}}}, True),
        ({"estimator": "ironbark.CleanedClassifier"}, True),
        ({"estimator": "ironbark.CleanedClassifier", "params": {"estimator": DUMMY}}, False),
        ({"estimator": "ironbark.RobustEnsembleClassifier"}, True),
        (VOTE, True),
        ({"estimator": "ironbark.AdaBoostClassifier"}, False),
    ],
)
def test_the_choice_of_a_pruning_price_has_a_version_of_its_own(entry, chosen):
    assert ("pruning" in estimators.code_of(entry)["families"]) == chosen


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [name for name in ironbark.__all__ if hasattr(getattr(ironbark, name), "fit")])
def test_every_estimator_that_chooses_a_price_by_default_is_known(name, monkeypatch):
    chosen, model = [], getattr(ironbark, name)()
    for module in (classifier, forest):
        choose = module.best_alpha
        monkeypatch.setattr(module, "best_alpha", lambda *args, choose=choose: chosen.append(1) or choose(*args))
    small = {key: 3 for key in ("n_estimators", "n_boosters") if key in model.get_params()}
    rng = np.random.default_rng(0)
    model.set_params(**small).fit(rng.normal(size=(60, 3)), rng.permutation(60) % 2)
    assert estimators.chooses_price({"estimator": f"ironbark.{name}"}) == bool(chosen)


def test_a_users_class_counts_by_its_file_and_by_those_that_it_imports(own):
    files = {
        "p1_mine": "import p1_near, json\nfrom p1_far import B\nimport lightgbm\nclass A: pass\n",
        "elsewhere__p1_far": "class B: pass\n",
        "p1_near": "from p1_pack import deep\n",
        "p1_pack__deep": "from . import deeper\n",
        "p1_pack__deeper": "X = 1\n",
        "p1_other": "Y = 1\n",
    }
    own(**files)
    before = keys.code_of_fits(["p1_mine"])
    keys.refuse_edited({"mine": {"code": before}, "dt-gini": {"code": {}}})
    assert before["families"] == versions_of(*FAMILIES)
    assert "lightgbm" in before["libraries"] and "lightgbm" not in keys.code_of_fits(["p1_other"])["libraries"]
    for name, text in files.items():
        own(**{**files, name: text + "# edited\n"})
        assert (keys.code_of_fits(["p1_mine"]) != before) == (name != "p1_other"), name
        if name != "p1_other":
            with pytest.raises(InputError, match="'p1_mine', or one that it imports, was edited during this run"):
                keys.refuse_edited({"mine": {"code": before}})
    own(**files)
    assert keys.code_of_fits(["p1_mine"]) == before


def test_a_package_that_is_installed_as_a_link_counts_by_its_code(own, tmp_path):
    folder, caches = tmp_path / "p3-1.dist-info", (keys.distributions, keys._is_edited)
    folder.mkdir()
    (folder / "METADATA").write_text("Name: p3\nVersion: 1\n")
    (folder / "top_level.txt").write_text("p3_mine\n")
    for link in (False, True):
        (folder / "direct_url.json").write_text(json.dumps({"url": "file:///p3", "dir_info": {"editable": link}}))
        for kept in caches:
            kept.cache_clear()
        own(p3_mine="x = 1\n")
        assert ("own" in keys.code_of_fits(["p3_mine"])) == link
    keys.distributions.cache_clear()


@pytest.mark.parametrize("text", ["class A(:\n", "from .near import x\n", "from .. import y\n", "x = 1\0\n"])
def test_a_users_module_that_cannot_be_imported_has_a_key(own, text):
    own(p2_mine=text)
    assert list(keys.code_of_fits(["p2_mine"])["own"]) == ["p2_mine"]


def test_a_criterion_of_a_user_and_optuna_count_where_they_are_used(own):
    own(p3_mine="def gain(left, right): return 0.0\n")
    code = estimators.code_of({"estimator": TREE, "params": {"criterion": "p3_mine.gain"}})
    assert list(code["own"]) == ["p3_mine"]
    for tune, needs in (({"trials": 3, "space": {"max_depth": [1]}}, True), ({"cv": 5, "grid": {"lam": [1]}}, False)):
        assert ("optuna" in estimators.code_of({"estimator": TREE, "tune": tune})["libraries"]) == needs
