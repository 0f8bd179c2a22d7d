"""The number of rounds that boosters choose on held-out labels, against fits of every number of rounds."""

import numpy as np
import pytest
from sklearn.base import clone

from ironbark import InputError, LogitBoostClassifier, RobustLGBMClassifier, RobustXGBClassifier
from ironbark.boosting.gbdt.fitting import held_out

pytest.importorskip("lightgbm")
pytest.importorskip("xgboost")

ROUNDS = 12
MODELS = [
    LogitBoostClassifier(ROUNDS, learning_rate=0.5, min_samples_split=20, random_state=3),
    RobustLGBMClassifier(n_estimators=ROUNDS, learning_rate=0.5, random_state=3),
    RobustXGBClassifier(n_estimators=ROUNDS, learning_rate=1.0, random_state=3),
]
every = pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
libraries = pytest.mark.parametrize("model", MODELS[1:], ids=lambda model: type(model).__name__)


def problem(n_classes=2, n=300):
    """Features, labels of which a third are wrong, weights."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    y = np.digitize(X[:, 0] + X[:, 1], [0.0, 1.0][: n_classes - 1])
    wrong = rng.random(n) < 1 / 3
    y[wrong] = rng.integers(0, n_classes, wrong.sum())
    return X, np.array(["a", "b", "c"])[y], rng.integers(0, 4, n).astype(float)


def loss(model, p):
    """Of a label with probability p, as the documentation of the losses has it."""
    if isinstance(model, LogitBoostClassifier):
        return -np.log(p)
    return (1 - p) ** model.r * (1 - p**model.q) / model.q


def twin(model, X, y, weight, fraction, loss_of=loss):
    """Mean loss on the held-out samples of a model that is fitted anew for each number of rounds."""
    labels, codes = np.unique(y, return_inverse=True)
    fitted, scored = held_out(codes, fraction, weight, model.random_state)
    losses = []
    for rounds in range(1, ROUNDS + 1):
        part = clone(model).set_params(n_estimators=rounds)
        part.fit(X[fitted], y[fitted], sample_weight=None if weight is None else weight[fitted])
        p = part.predict_proba(X[scored])
        own = [loss_of(part, row if loss_of is not loss else row[k]) for row, k in zip(p, codes[scored], strict=True)]
        losses.append(np.average(own, weights=None if weight is None else weight[scored]))
    return losses


@every
@pytest.mark.parametrize("weighted", [False, True])
def test_chosen_rounds_against_fits_of_every_number(model, weighted):
    X, y, weight = problem()
    weight = weight if weighted else None
    losses = twin(model, X, y, weight, 0.25)
    chosen = clone(model).set_params(validation_fraction=0.25).fit(X, y, sample_weight=weight)
    assert chosen.validation_loss_ == pytest.approx(losses, rel=1e-5)
    assert chosen.n_estimators_ == 1 + np.argmin(losses) < ROUNDS
    assert chosen.n_estimators == ROUNDS


def test_three_classes_of_logitboost():
    X, y, _ = problem(3)
    chosen = clone(MODELS[0]).set_params(validation_fraction=0.25).fit(X, y)
    codes = np.unique(y, return_inverse=True)[1]
    fitted, scored = held_out(codes, 0.25, None, 3)
    p = clone(MODELS[0]).set_params(n_estimators=5).fit(X[fitted], y[fitted]).predict_proba(X[scored])
    assert chosen.validation_loss_[4] == pytest.approx(-np.log(p[np.arange(len(p)), codes[scored]]).mean())


@libraries
def test_a_corrected_loss_is_that_of_the_noisy_labels(model):
    """The probabilities of true classes, times the matrix, are those of the labels that are held out."""
    X, y, _ = problem(3)
    matrix = 0.5 * np.eye(3) + 0.5 / 3
    noisy = {"loss": "forward_correction", "noise_matrix": matrix}
    chosen = clone(model).set_params(validation_fraction=0.25, **noisy).fit(X, y)
    codes = np.unique(y, return_inverse=True)[1]
    fitted, scored = held_out(codes, 0.25, None, 3)
    rounds = chosen.n_estimators_
    part = clone(model).set_params(n_estimators=rounds, **noisy).fit(X[fitted], y[fitted])
    own = (part.predict_proba(X[scored]) @ matrix)[np.arange(len(scored)), codes[scored]]
    assert chosen.validation_loss_[rounds - 1] == pytest.approx(-np.log(own).mean(), rel=1e-5)


@every
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_model_is_that_of_as_many_rounds_on_all_samples(model, n_classes):
    X, y, weight = problem(n_classes)
    chosen = clone(model).set_params(validation_fraction=0.2).fit(X, y, sample_weight=weight)
    plain = clone(model).set_params(n_estimators=chosen.n_estimators_).fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(chosen.predict_proba(X), plain.predict_proba(X))
    again = clone(chosen).set_params(**{"n_jobs": 2} if "n_jobs" in chosen.get_params() else {})
    np.testing.assert_array_equal(again.fit(X, y, sample_weight=weight).validation_loss_, chosen.validation_loss_)
    np.testing.assert_array_equal(again.predict_proba(X), chosen.predict_proba(X))


@libraries
def test_the_search_ends_after_fifty_rounds_without_a_lower_loss(model):
    X, y, _ = problem()
    chosen = clone(model).set_params(n_estimators=500, validation_fraction=0.25).fit(X, y)
    assert len(chosen.validation_loss_) == chosen.n_estimators_ + 50


@libraries
def test_weights_of_classes_count_for_held_out_samples(model):
    X, y, _ = problem()
    by_sample = clone(model).set_params(validation_fraction=0.25)
    by_class = clone(by_sample).set_params(scale_pos_weight=5.0).fit(X, y)
    by_sample.fit(X, y, sample_weight=np.where(y == "b", 5.0, 1.0))
    if isinstance(model, RobustLGBMClassifier):
        named = clone(by_sample).set_params(class_weight={"a": 1, "b": 5}).fit(X, y)
        assert named.validation_loss_ == pytest.approx(by_sample.validation_loss_, rel=1e-5)
    assert by_class.validation_loss_ == pytest.approx(by_sample.validation_loss_, rel=1e-5)


def test_held_out_samples_are_a_share_of_each_class():
    codes = np.repeat([0, 1, 2], [100, 10, 2])
    weight = np.ones(112)
    weight[:50] = 0
    fitted, scored = held_out(codes, 0.2, weight, 0)
    assert np.bincount(codes[scored]).tolist() == [10, 2, 1]
    assert sorted([*fitted, *scored]) == list(range(50, 112))
    np.testing.assert_array_equal(scored, held_out(codes, 0.2, weight, 0)[1])
    assert not np.array_equal(scored, held_out(codes, 0.2, weight, 1)[1])


BAD = [
    *(
        (model, {"validation_fraction": f}, "validation_fraction=.* None or a finite number > 0 and < 1")
        for model, f in zip(MODELS * 2, (0, 1.0, -0.1, "auto", True, np.nan), strict=True)
    ),
    *((model, {"rare": 1}, "=0.2 leaves no sample to fit of a class that has 1; give .*None") for model in MODELS),
    (MODELS[0], {"validation_fraction": 0.9, "rare": 4}, "=0.9 leaves no sample to fit of a class that has 4"),
    *((model, {"early_stopping_rounds": 5}, "and early_stopping_rounds together") for model in MODELS[1:]),
    (MODELS[1], {"fit": {"eval_X": np.zeros((1, 4)), "eval_y": ["a"]}}, "evaluation sets together; leave one"),
    (MODELS[1], {"fit": {"init_score": np.zeros(300)}}, "init_score together; leave one"),
    (MODELS[2], {"fit": {"eval_set": [(np.zeros((1, 4)), ["a"])]}}, "eval_set together; leave one"),
    (MODELS[2], {"fit": {"base_margin": np.zeros(300)}}, "base_margin together; leave one"),
]


@pytest.mark.parametrize(("model", "given", "words"), BAD)
def test_refusals(model, given, words):
    X, y, _ = problem()
    options = {"validation_fraction": 0.2, **given}
    arguments, rare = options.pop("fit", {}), options.pop("rare", None)
    if rare:
        y = np.where(np.arange(len(y)) < rare, "b", "a")
    with pytest.raises(InputError, match=words):
        clone(model).set_params(**options).fit(X, y, **arguments)
