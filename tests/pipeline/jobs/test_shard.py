"""Batches of fits: nothing is run twice, nothing stale is taken, and one bad method sinks no other."""

import copy
import json

import numpy as np
import pandas as pd
import pytest
from checkouts import SAME
from sklearn.tree import DecisionTreeClassifier

from ironbark.errors import InputError
from ironbark.pipeline.data import bundle
from ironbark.pipeline.jobs import shard
from ironbark.pipeline.protocols import fit, holdout
from ironbark.pipeline.results import noisy_labels, records


def test_accuracy_is_on_clean_test_labels(run, spec, small_table, labels):
    rows, _ = run(spec)
    stored = noisy_labels.read(labels(), "uniform-0.2")
    X, y = small_table[list("abc")].to_numpy(), small_table["target"].to_numpy()
    for row in rows.itertuples():
        split, noisy = stored.splits[row.repeat], stored.noisy[row.repeat]
        tree = DecisionTreeClassifier(criterion=row.method, random_state=row.seed).fit(X[split.train], noisy)
        assert row.accuracy == tree.score(X[split.test], y[split.test])
        assert row.flipped == np.mean(noisy != y[split.train])


def test_more_work_computes_only_what_is_new(run, spec):
    first, _ = run(spec)
    second, new = run(spec)
    assert new == 0
    pd.testing.assert_frame_equal(first, second, check_exact=True)
    spec["repeats"] = 3
    assert run(spec)[1] == 2
    (part,) = spec["parts"]
    spec["methods"]["deep"] = {**spec["methods"]["gini"], "params": {"max_depth": 2}}
    part["methods"].append("deep")
    assert run(spec)[1] == 3
    part["noises"]["clean"] = {"noise": "clean", "rate": "0"}
    rows, new = run(spec)
    assert new == 9 and len(rows) == 18
    spec["repeats"] = 1
    assert run(spec)[1] == 0


def test_what_makes_a_fit_stale(run, spec, prepared):
    run(spec)
    gini = spec["methods"]["gini"]
    for change in ({"code": "2"}, {"params": {"max_depth": 1}}, {"preprocess": "zscore-rows"}):
        gini.update(change)
        assert run(spec)[1] == 2, change
    gini["label"] = "other name"
    spec |= {"study": "t", "scale": "lite", "versions": {"python": "3.12"}}  # versions count through `code`
    assert run(spec)[1] == 0
    np.save(prepared / "levels.npy", np.load(prepared / "levels.npy") + 1)
    arrays = {name: np.load(prepared / f"{name}.npy") for name in bundle.ARRAYS if (prepared / f"{name}.npy").exists()}
    meta = json.loads((prepared / "meta.json").read_text("utf-8"))
    (prepared / "meta.json").write_text(json.dumps(meta | {"digest": bundle.digest(arrays)}), encoding="utf-8")
    assert run(spec)[1] == 4


def test_changed_labels_or_splits_make_their_fits_stale(run, spec, monkeypatch):
    run(spec)
    read = noisy_labels.read

    def one_label_flipped(*place):
        found = read(*place)
        found.noisy[1][0] = (found.noisy[1][0] + 1) % 3
        return found

    def one_test_row_less(*place):
        found = read(*place)
        found.splits[0] = found.splits[0]._replace(test=found.splits[0].test[1:])
        return found

    for changed in (one_label_flipped, one_test_row_less):
        monkeypatch.setattr(noisy_labels, "read", changed)
        assert run(spec)[1] == 2  # both methods on one repeat
    monkeypatch.setattr(noisy_labels, "read", read)
    assert run(spec)[1] == 0


def test_a_run_cut_short_keeps_what_was_done_and_the_order_of_methods_does_not_count(run, spec, monkeypatch):
    calls, through = [], fit.run

    def third_is_killed(*arguments):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return through(*arguments)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(fit, "run", third_is_killed)
        run(spec)
    rows, new = run(spec)
    assert new == 2
    spec["parts"][0]["methods"].reverse()
    complete, new = run(spec, store="complete")
    assert new == 4
    rows, complete = (found[SAME].sort_values(["method", "repeat"], ignore_index=True) for found in (rows, complete))
    pd.testing.assert_frame_equal(rows, complete)


class Fails(DecisionTreeClassifier):
    broken = True

    def fit(self, X, y):
        if Fails.broken:
            raise RuntimeError("no memory left")
        return super().fit(X, y)


@pytest.fixture
def failing(spec, importable, monkeypatch):
    monkeypatch.setattr(Fails, "broken", True)
    spec["methods"]["bad"] = {"estimator": importable(Fails), "params": {}, "tune": {}, "code": "1"}
    spec["parts"][0]["methods"].insert(0, "bad")
    return spec


def test_a_failing_method_sinks_no_other(run, failing, capsys):
    rows, _ = run(failing)
    bad = rows[rows["method"] == "bad"]
    assert bad["status"].tolist() == ["failed"] * 2
    assert set(bad["message"]) == {"RuntimeError: no memory left"} and bad["accuracy"].isna().all()
    assert rows[rows["method"] != "bad"]["status"].eq("ok").all()
    said = capsys.readouterr().err
    assert said.count("FAILED small multiclass uniform-0.2 bad repeat") == 2 and "no memory left" in said
    assert "small multiclass uniform-0.2 gini: 2 fits, 2 of them new" in said


def test_an_added_method_is_fitted_to_few_samples_first(run, failing, tmp_path, monkeypatch):
    monkeypatch.setattr(shard, "TRIED", 12)
    monkeypatch.setattr(shard, "LEAST", 2)
    failing["added"] = ["bad", "gini"]
    with pytest.raises(InputError, match=r"'bad' cannot be fitted to 1\d samples of small \(RuntimeError: no memory"):
        run(failing)
    assert not list((tmp_path / "store").rglob("bad*"))
    Fails.broken = False
    plain, _ = run({**failing, "added": []}, store="plain")
    rows, new = run(failing | {"alone": True})
    assert new == len(rows) + 2 + 3, "a trial of each added method, and no first fit of those that are timed"
    pd.testing.assert_frame_equal(rows[SAME], plain[SAME])
    assert run(failing)[1] == 0, "what is stored is not tried"


def test_a_killed_search_goes_on_and_leaves_nothing_behind(run, spec, tmp_path, monkeypatch):
    space = {"max_depth": {"low": 1, "high": 9}}
    for method in spec["methods"].values():
        method["tune"] = {"trials": 4, "cv": 3, "space": space}
    whole, _ = run(spec, store="whole")
    true_fit, calls = DecisionTreeClassifier.fit, []

    def fit_(self, *arguments, **options):
        calls.append(1)
        if len(calls) == 6:
            raise KeyboardInterrupt
        return true_fit(self, *arguments, **options)

    monkeypatch.setattr(DecisionTreeClassifier, "fit", fit_)
    with pytest.raises(KeyboardInterrupt):
        run(spec)
    (begun,) = (tmp_path / "store").rglob("*.trials")
    assert len(begun.read_text().splitlines()) == 5
    again, _ = run(spec)
    assert len(calls) == 6 + 4 * 13 - 5  # four fits of 12 folds and a last one, less what was kept
    assert not list((tmp_path / "store").rglob("*.trials"))
    pd.testing.assert_frame_equal(whole[SAME], again[SAME], check_exact=True)


def test_only_a_study_that_wants_more_outputs_fits_again(run, spec):
    plain, new = run(spec)
    assert new == 4 and list(plain) == list(records.COLUMNS)
    assert run(spec, names=["f1", "average_precision"])[1] == 0, "labels are enough, and the second is for two classes"
    names = ["f1", "log_loss"]
    more, new = run(spec, names=names)
    assert new == 4 and list(more) == [*records.COLUMNS, *names] and more[names].notna().all(axis=None)
    pd.testing.assert_frame_equal(more[SAME], plain[SAME], check_exact=True)
    assert run(spec, names=["brier", "roc_auc"])[1] == 0, "other metrics of the same outputs"
    again, new = run(spec)
    assert new == 0 and list(again) == list(records.COLUMNS)


TUNE = {"test_size": 0.2, "grid": {"max_depth": [1, 2, None]}}


@pytest.fixture
def tuned(spec):
    """Spec of a tuned tree, and of the same tree refitted."""
    base = spec["methods"]["gini"]
    tunes = {"held": TUNE | {"refit": False}, "refit": TUNE | {"refit": True}}
    spec["methods"] = {name: base | {"tune": tune} for name, tune in tunes.items()}
    spec["parts"][0]["methods"] = ["held", "refit"]
    return spec


@pytest.fixture
def fitted(run, monkeypatch):
    """Function that runs a spec: (rows by method, number of models)."""
    fits, true_fitted = [], holdout.fitted
    monkeypatch.setattr(holdout, "fitted", lambda *args, **params: fits.append(params) or true_fitted(*args, **params))

    def run_(spec, store="store"):
        fits.clear()
        return dict(list(run(spec, store)[0].groupby("method"))), len(fits)

    return run_


def alone(spec, name):
    spec = copy.deepcopy(spec)
    spec["parts"][0]["methods"] = [name]
    return spec


def test_a_refit_takes_the_choice_and_gets_the_same_bits(fitted, tuned):
    both, n_both = fitted(tuned, "both")
    own, n_own = fitted(alone(tuned, "refit"), "own")
    assert n_both == 2 * (3 + 1)  # two repeats: three values, then one refit
    assert n_own == 2 * (3 + 1)
    refits = [found["refit"][SAME].reset_index(drop=True) for found in (both, own)]
    pd.testing.assert_frame_equal(*refits, check_exact=True)
    held, refit = both["held"].reset_index(), both["refit"].reset_index()
    assert (refit["tuned"] == held["tuned"]).all()
    assert (refit["tune_seconds"] >= held["tune_seconds"] + held["fit_seconds"]).all()


@pytest.mark.parametrize(
    ("held", "changes", "fits"),
    [
        ({"tune": TUNE | {"refit": False, "grid": {"max_depth": [1, 2]}}}, {}, 2 * (2 + 3 + 1)),
        ({"params": {"min_samples_leaf": 3}}, {}, 2 * (3 + 3 + 1)),
        ({"code": "2"}, {}, 2 * (3 + 3 + 1)),
        ({}, {"methods": ["refit", "held"]}, 2 * (3 + 3 + 1)),
        ({}, {"alone": True}, 3 * (3 + 3 + 1)),  # where timings matter, a method's first fit runs twice
    ],
)
def test_a_choice_of_anything_else_is_not_taken(fitted, tuned, held, changes, fits):
    tuned["methods"]["held"] |= held
    tuned["parts"][0]["methods"] = changes.get("methods", ["held", "refit"])
    assert fitted(tuned | {"alone": changes.get("alone", False)})[1] == fits
