"""What every noise model keeps to: rate, matrix, seeds, and what it leaves alone."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import truncnorm

from ironbark import encode, noise
from ironbark.errors import InputError

N = 1500
RATES = {0: None, 1: 0.3, 2: (0.2, 0.4)}
#: Models that draw nothing.
FIXED = {"clean", "adversarial", "observed"}
#: Models that refuse missing values.
COMPLETE = {"mahalanobis", "part_dependent", "borderline", "boundary_consistent"}
#: Expected fraction of all labels that change, by the definition.
EXPECTED = {
    "clean": lambda y, rate: 0.0,
    "class_conditional": lambda y, rate: np.mean(np.where(y == 0, *rate)),
    "class_conditional_by_size": lambda y, rate: np.mean(np.where(y == np.bincount(y).argmin(), *rate)),
    "balanced": lambda y, rate: 2 * rate * np.bincount(y).min() / N,
    "matrix": lambda y, rate: 0.3,
    "part_dependent": lambda y, rate: truncnorm.mean(-3, 7, 0.3, 0.1),
    "observed": lambda y, rate: 0.2,
    "rare_class": lambda y, rate: rate * np.bincount(y).min() / N,
} | dict.fromkeys(("uniform", "pair_flip", "adversarial", "margin", "borderline", "threshold"), lambda y, rate: rate)
CASES = [
    pytest.param(name, k, id=f"{name}-{k}")
    for name, model in noise.NOISE_MODELS.items()
    for k, task in ((2, "binary"), (4, "multiclass"))
    if task in model.tasks
]
EXACT = [case for case in CASES if "exact" in noise.NOISE_MODELS[case.values[0]].params]


def problem(k, absent=None):
    """Classes of unequal size that overlap; the last column holds few values."""
    rng = np.random.default_rng(0)
    y = rng.choice(k, N, p=[0.35, 0.65] if k == 2 else [0.3, 0.15, 0.2, 0.35])
    y = y if absent is None else np.where(y == absent, (absent + 1) % k, y)
    X = rng.normal(size=(N, 3)) + y[:, None] * [1.0, 0.5, 0.0]
    return np.column_stack([X, rng.integers(0, 4, N)]), y


def needed(name, y, k):
    """Parameters that have no default; every fifth given label is another one."""
    if "matrix" in noise.NOISE_MODELS[name].required:
        return {"matrix": np.where(np.eye(k), 0.7, 0.3 / (k - 1))}
    return {"given": (y + (np.arange(len(y)) % 5 == 0)) % k} if noise.NOISE_MODELS[name].needs_given else {}


def corrupted(name, X, y, k, seed=1, **params):
    """The model with rates of 0.3, or 0.2 and 0.4."""
    params |= needed(name, y, k)
    rate = RATES[noise.NOISE_MODELS[name].rates]
    return noise.apply(name, X, y, k, rate, np.random.default_rng(seed), **params)


def assert_valid(result, k):
    assert result.labels.dtype == np.int64 and result.labels.shape == (N,)
    assert set(result.labels.tolist()) <= set(range(k))
    assert result.transition.shape == (k, k) and (result.transition >= 0).all()
    np.testing.assert_allclose(result.transition.sum(axis=1), 1, atol=1e-12)


def counts_of(y, labels, k):
    counts = np.zeros((k, k))
    np.add.at(counts, (y, labels), 1)
    return counts


@pytest.mark.parametrize(("name", "k"), CASES)
def test_rate_and_matrix_are_reached_and_data_stay_as_they_are(name, k):
    X, y = problem(k)
    result = corrupted(name, X, y, k)
    assert_valid(result, k)
    assert all(map(np.array_equal, (X, y), problem(k))) and not np.shares_memory(result.labels, y)
    counts, sizes = counts_of(y, result.labels, k), np.bincount(y, minlength=k)[:, None]
    expected = sizes * result.transition
    assert (np.abs(counts - expected) <= 4.5 * np.sqrt(expected * (1 - result.transition)) + 0.51).all()
    if name in EXPECTED:
        share, changed = EXPECTED[name](y, RATES[noise.NOISE_MODELS[name].rates]), np.mean(result.labels != y)
        assert abs(changed - share) <= 4.5 * np.sqrt(share * (1 - share) / N)


@pytest.mark.parametrize(("name", "k"), EXACT)
def test_exact_rates_are_exact(name, k):
    X, y = problem(k)
    for seed in range(3):
        result = corrupted(name, X, y, k, seed, exact=True)
        counts, expected = counts_of(y, result.labels, k), np.bincount(y)[:, None] * result.transition
        if name in ("matrix", "random_matrix"):  # each count by itself, hence no overall rate
            assert (np.abs(counts - expected) < 1).all()
            continue
        changed = (result.labels != y).sum()
        assert changed == round(expected.sum() - expected.trace())
        assert (np.abs(counts - expected) <= 4.5 * np.sqrt(expected * (1 - result.transition)) + 0.51).all()
        if name in EXPECTED:
            assert changed == round((0.3 if name == "part_dependent" else EXPECTED[name](y, 0.3)) * N)


@pytest.mark.parametrize(("name", "k"), CASES)
def test_seeds_decide_and_rank_codes_do_not(name, k):
    X, y = problem(k)
    first, again, other = (corrupted(name, X, y, k, seed) for seed in (1, 1, 2))
    assert np.array_equal(first.labels, again.labels) and np.array_equal(first.transition, again.transition)
    assert np.array_equal(first.labels, other.labels) == (name in FIXED)
    assert np.array_equal(first.labels, corrupted(name, encode(X), y, k).labels)


@pytest.mark.parametrize(("name", "k"), CASES)
def test_rate_zero_is_clean(name, k):
    X, y = problem(k)
    model = noise.NOISE_MODELS[name]
    if model.rates == 0:
        with pytest.raises(InputError, match="takes no rate"):
            noise.apply(name, X, y, k, 0.0, np.random.default_rng(0))
        return
    result = noise.apply(name, X, y, k, (0.0, 0.0) if model.rates == 2 else 0.0, np.random.default_rng(0))
    assert np.array_equal(result.labels, y) and np.array_equal(result.transition, np.eye(k))


@pytest.mark.parametrize(("name", "k"), CASES)
def test_an_absent_class_is_allowed_and_a_single_one_gives_labels_or_a_sentence(name, k):
    X, y = problem(k, absent=1)
    try:
        assert_valid(corrupted(name, X, y, k), k)
    except InputError as error:
        assert k == 2 and f"noise {name!r} needs samples of" in str(error)  # noqa: PT017 - some models work


@pytest.mark.parametrize(("name", "k"), CASES)
def test_missing_values_are_refused_or_taken(name, k):
    X, y = problem(k)
    X[::7, 1] = np.nan
    for features in (X, encode(X)):
        if name in COMPLETE:
            with pytest.raises(ValueError, match="NaN"):
                corrupted(name, features, y, k)
        else:
            assert_valid(corrupted(name, features, y, k), k)


@pytest.mark.parametrize(("name", "k"), CASES)
def test_users_data_take_the_same_path(name, k):
    X, y = problem(k)
    names, frame = np.array(["d", "a", "c", "b"][:k]), pd.DataFrame(X, columns=["one", "two", "three", "four"])
    codes, rate = np.unique(names[y], return_inverse=True)[1], RATES[noise.NOISE_MODELS[name].rates]
    params = needed(name, codes, k)
    expected = noise.apply(name, X, codes, k, rate, np.random.default_rng(3), **params).labels
    if "given" in params:
        params["given"] = np.sort(names)[params["given"]]
    users = [(Z, names[y], np.random.default_rng(3)) for Z in (X, frame)]
    found = [noise.corrupt(name, Z, of, rate=rate, random_state=rng, **params) for Z, of, rng in users]
    assert all(labels.tolist() == np.sort(names)[expected].tolist() for labels in found)


@pytest.mark.parametrize("name", [name for name, model in noise.NOISE_MODELS.items() if model.needs_features])
def test_models_of_the_features_need_them(name):
    k = 2 if "binary" in noise.NOISE_MODELS[name].tasks else 4
    with pytest.raises(InputError, match=f"noise '{name}' depends on the features, but X is None"):
        corrupted(name, None, problem(k)[1], k)
