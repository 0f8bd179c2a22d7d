"""The library with its declared dependencies alone: what draws, plans and stores is not imported, and not needed."""

import subprocess
import sys
import textwrap

#: Packages of the extras; an import of one fails as if it were not installed.
EXTRA = "pandas pyarrow matplotlib statsmodels snakemake jsonschema yaml jinja2 pooch openml lightgbm xgboost optuna"

BLOCK = """
import sys

class Block:
    def find_spec(name, path=None, target=None):
        if name in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Block)
"""


def run(code, blocked=EXTRA):
    """Standard output of a script without the packages in `blocked`."""
    script = f"BLOCKED = {blocked.split()!r}\n{BLOCK}\n{textwrap.dedent(code)}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


USES = """
import tempfile
from pathlib import Path
import ironbark
from ironbark.noise import corrupt
from sklearn.datasets import load_breast_cancer, load_iris

X, y = (values[::5] for values in load_breast_cancer(return_X_y=True))
ironbark.RobustDecisionTreeClassifier("credal", random_state=0).fit(X, y).predict_proba(X)
ironbark.RobustRandomForestClassifier(n_estimators=5, random_state=0).fit(X, y).score(X, y)
ironbark.RMBoostClassifier(n_estimators=3).fit(X, y).predict(X)
ironbark.LPBoostClassifier(n_estimators=3).fit(X, y).predict(X)
ironbark.AdaBoostClassifier(n_estimators=3).fit(X, y).predict(X)
ironbark.LogitBoostClassifier(n_estimators=3).fit(X, y).predict_proba(X)
corrupt("adversarial", X, y, rate=0.2, random_state=0)
corrupt("mahalanobis", *load_iris(return_X_y=True), random_state=0)
ironbark.LabelErrorDetector(random_state=0).fit(X, y).ranking_
ironbark.CleanedClassifier(random_state=0).fit(X, y).predict(X)
ironbark.NoiseCorrectedClassifier().fit(X, y).predict(X)
model = ironbark.RobustDecisionTreeClassifier().fit(X, y)
with tempfile.TemporaryDirectory() as folder:
    ironbark.save(model, Path(folder, "tree.ib"))
    assert (ironbark.load(Path(folder, "tree.ib")).predict(X) == model.predict(X)).all()
try:
    ironbark.find_label_errors(X, y)
except ValueError as error:
    print(error)
"""


def test_the_library_needs_no_package_of_extras():
    assert "run `pip install pandas`" in run(USES)


STAR = """
import ironbark, ironbark.noise
print(*(name.split(".")[0] for name in sys.modules))
from ironbark import *
print(*(name for name in dir() if name.endswith("Classifier")))
"""


def test_import_is_lazy_and_a_star_import_leaves_out_what_needs_packages_that_are_missing():
    loaded, found = map(set, map(str.split, run(STAR, blocked="").splitlines()))
    assert "ironbark" in loaded
    assert not {"numpy", "scipy", "sklearn", "numba", "joblib", "highspy", *EXTRA.split()} & loaded
    assert {"RobustXGBClassifier", "RobustLGBMClassifier"} <= found
    found = run(STAR).split()
    assert "RobustRandomForestClassifier" in found and "RobustXGBClassifier" not in found


def test_the_command_needs_the_packages_of_its_extra_only(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("a,b,kind\n" + "".join(f"{i},{i * i % 7},{'xy'[i > 20]}\n" for i in range(40)))
    call = f"from ironbark.cli import main; print(main(['labels', {str(table)!r}, '--target', 'kind']))"
    others = [name for name in EXTRA.split() if name not in ("pandas", "pyarrow", "matplotlib")]
    code = f"import os; os.chdir({str(tmp_path)!r}); {call}"
    assert run(code, blocked=" ".join(others)).splitlines()[-1] == "0"
    assert (tmp_path / "table-errors.csv").is_file() and (tmp_path / "table-errors.png").is_file()


def test_the_command_names_its_extra(tmp_path):
    code = """
        import ironbark.cli
        ironbark.cli.find_spec = lambda name: None if name == "pandas" else name
        sys.stderr = sys.stdout
        print(ironbark.cli.main(["labels", "none.csv", "--target", "kind"]))
    """
    sentence, status = run(code).splitlines()
    assert "not installed: pandas" in sentence and "pip install 'ironbark-learn[labels]'" in sentence and status == "1"
