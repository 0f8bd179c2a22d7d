"""The processes in which benchmarks fit: answers, another copy of the library, and what can't be had."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

import ironbark

SOURCE = Path(ironbark.__file__).parents[1]
MODEL = {"kind": "tree", "criterion": "gini", "trees": 3}


@pytest.fixture
def benchmarks():
    """The modules `fit_cases` and `worker`."""
    import fit_cases as cases
    import worker

    return cases, worker


@pytest.fixture
def table():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:100], y[:100]


def arrays(folder):
    return {path.stem: np.load(path) for path in Path(folder).glob("*.npy")}


def test_tests_and_training_rows_of_a_case_are_apart(benchmarks, table):
    with benchmarks[0].written(*table, rate=0.4, rows=50) as folder:
        found = arrays(folder)
    assert {name: len(array) for name, array in found.items()} == {"X": 50, "y": 50, "X_test": 10, "y_test": 10}
    rows = {row.tobytes() for row in table[0].astype(np.float32)}
    training, tests = ({row.tobytes() for row in found[name]} for name in ("X", "X_test"))
    assert training | tests <= rows and not training & tests


def test_scikit_learn_is_fitted_on_the_arrays_of_the_case(benchmarks, table):
    cases, worker = benchmarks
    with cases.written(*table) as folder, worker.Worker("scikit-learn") as process:
        process.ask("open", folder=folder)
        answer = process.ask("time", seed=1, **MODEL)
        quality = process.ask("quality")
        data = arrays(folder)
    tree = DecisionTreeClassifier(random_state=1).fit(data["X"], data["y"])
    assert 0 < answer["seconds"] < 10 and answer["wall"] > 0
    assert quality == {"accuracy": tree.score(data["X_test"], data["y_test"]), "nodes": tree.tree_.node_count}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["tree", "forest"])
def test_a_copy_of_the_library_is_used_and_grows_the_same_trees(benchmarks, table, tmp_path, capfd, kind):
    cases, worker = benchmarks
    shutil.copytree(SOURCE / "ironbark", tmp_path / "ironbark", ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "ironbark/__init__.py").open("a", encoding="utf-8") as module:
        module.write("\nimport sys\nprint('this is the copy', file=sys.stderr)\n")
    model, found = {**MODEL, "kind": kind}, []
    with cases.written(*table) as folder:
        for source in (None, tmp_path):
            with worker.Worker("ironbark", source) as process:
                process.ask("open", folder=folder)
                for raw in (False, True):
                    assert process.ask("time", raw=raw, seed=0, **model)["seconds"] > 0
                    found.append(process.ask("quality"))
    assert all(quality == found[0] for quality in found) and found[0]["nodes"] > 3
    assert capfd.readouterr().err.count("this is the copy") == 1


def test_a_folder_without_the_library_is_refused(benchmarks, tmp_path):
    with pytest.raises(SystemExit, match="does not hold the package ironbark: name its src folder"):
        benchmarks[1].Worker("ironbark", tmp_path)


def test_a_process_that_ends_is_reported(benchmarks, tmp_path, capfd):
    ended = pytest.raises(RuntimeError, match="scikit-learn has ended with code 1")
    with benchmarks[1].Worker("scikit-learn") as process, ended:
        process.ask("open", folder=str(tmp_path))  # a folder without arrays
    assert "KeyError: 'X'" in capfd.readouterr().err
