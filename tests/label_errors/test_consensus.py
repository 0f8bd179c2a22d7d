"""`ConsensusLabels`: Dawid-Skene against a slow twin and the truth, CROWDLAB against cleanlab, gaps, ties, refusals."""

import itertools
import math
import warnings

import numpy as np
import pandas as pd
import polars
import pytest
import scipy.sparse
from scipy.stats import spearmanr
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from ironbark import LabelErrorDetector
from ironbark.label_errors import ConsensusLabels
from ironbark.label_errors.consensus import FLOOR, constant, crowdlab, dawid_skene, likelihood, mixed

#: Probability of each label in each class, of four annotators.
CONFUSION = 0.6 * np.eye(3) + 0.4 * np.random.default_rng(0).dirichlet(np.ones(3), (4, 3))
METHODS = ["features", "dawid_skene", "crowdlab", "majority"]


def simulated(n, confusion=CONFUSION, shares=(0.5, 0.3, 0.2), gaps=0.3, seed=0):
    """True classes, and codes of labels with -1 for gaps."""
    rng = np.random.default_rng(seed)
    true = rng.choice(len(shares), n, p=shares)
    codes = [(rng.random((n, 1)) > matrix[true].cumsum(axis=1)[:, :-1]).sum(axis=1) for matrix in confusion]
    return true, np.where(rng.random((n, len(codes))) < gaps, -1, np.transpose(codes))


def with_gaps(codes, names=None):
    """Labels as objects, None for gaps."""
    values = np.array([0, 1, 2] if names is None else names, object)
    return np.where(codes < 0, None, values[codes])


@pytest.fixture(scope="module")
def problem():
    """Features, true classes and labels with gaps; six samples have none."""
    X, y = make_classification(400, 6, n_informative=5, n_redundant=0, n_classes=3, class_sep=1.5, random_state=0)
    rng = np.random.default_rng(0)
    right = rng.random((400, 6)) < [0.95, 0.9, 0.8, 0.7, 0.6, 0.5]
    codes = np.where(right, y[:, None], rng.integers(0, 3, (400, 6)))
    codes[rng.random((400, 6)) < 0.5] = -1
    codes[7] = -1
    return X, y, codes


def slow_dawid_skene(codes, n_classes, smoothing, dependence, prior, n_rounds):
    """Dawid and Skene's equations in loops."""
    n, m = codes.shape
    given = [[(j, codes[i, j]) for j in range(m) if codes[i, j] >= 0] for i in range(n)]
    everything = [code for found in given for _, code in found]
    overall = [everything.count(k) / len(everything) for k in range(n_classes)]
    T = [[sum(c == k for _, c in found) / len(found) if found else overall[k] for k in range(n_classes)]
         for found in given]  # fmt: skip
    pseudo, path = smoothing * likelihood(codes, n_classes), []
    for _ in range(n_rounds):
        pi = np.array([pseudo.copy() for _ in range(m)])
        for i, found in enumerate(given):
            for (j, label), k in itertools.product(found, range(n_classes)):
                pi[j, k, label] += T[i][k] / (1 + dependence * (len(found) - 1))
        pi /= pi.sum(axis=2, keepdims=True)
        shares = np.mean(T, axis=0)
        total = (pseudo * np.log(pi)).sum()
        for i, found in enumerate(given):
            joint = [shares[k] if prior is None else prior[i, k] for k in range(n_classes)]
            for (j, label), k in itertools.product(found, range(n_classes)):
                joint[k] *= pi[j, k, label] ** (1 / (1 + dependence * (len(found) - 1)))
            T[i] = [value / sum(joint) for value in joint]
            total += math.log(sum(joint))
        path.append(total)
    return np.array(T), pi, path


@pytest.mark.parametrize(("smoothing", "dependence", "has_prior"), [(1e-3, 0, False), (5, 0.2, False), (2, 0.1, True)])
def test_dawid_skene_is_its_slow_twin(smoothing, dependence, has_prior):
    codes = simulated(60)[1]
    prior = np.random.default_rng(0).dirichlet(np.ones(3), 60) if has_prior else None
    posterior, confusion, path = dawid_skene(codes, 3, smoothing, dependence, prior)
    expected = slow_dawid_skene(codes, 3, smoothing, dependence, prior, len(path))
    for found, twin in zip((posterior, confusion, path), expected, strict=True):
        np.testing.assert_allclose(found, twin, rtol=1e-8, atol=1e-10)
    assert (np.diff(path) >= -1e-9).all()


@pytest.mark.parametrize("share", [0.4, 0.7, 1.0])
def test_a_model_counts_as_much_as_it_is_right(share):
    """In that share of the samples; in others it gives each class a third of the time, which is theirs, too."""
    true, w = np.arange(3000) % 3, min(share, 1 - FLOOR)
    model = np.eye(3)[np.where(np.arange(3000) < 3000 * share, true, np.arange(3000) // 3 % 3)]
    np.testing.assert_allclose(mixed(model, np.eye(3)[true]), w * model + (1 - w) / 3, atol=1e-4)


def test_crowdlab_is_its_equations_by_hand():
    """Three samples; P has one more success and failure than in the paper."""
    codes = np.array([[0, 0, -1], [1, 1, 0], [0, -1, -1]])
    model = np.array([[0.8, 0.2], [0.3, 0.7], [0.6, 0.4]])
    p = (1 + 2 / 3 + 1) / 4
    agreement = np.array([2 / 3, 2 / 3, 0.0])  # s_j
    w = np.maximum(1 - (1 - agreement) / 0.5, 1e-6)  # A_MLC is 1 / 2
    w_model = math.sqrt(6 / 3)  # A_M is 1
    voted = np.array([[w[0] + w[1], 0], [w[2], w[0] + w[1]], [w[0], 0]])
    total = w_model * model + p * voted + (1 - p) * voted[:, ::-1]
    np.testing.assert_allclose(crowdlab(codes, 2, model), total / total.sum(axis=1, keepdims=True))


def test_crowdlab_agrees_with_cleanlab(problem):
    multiannotator = pytest.importorskip("cleanlab.multiannotator")
    X, _, codes = problem
    X, codes = X[(codes >= 0).any(axis=1)], codes[(codes >= 0).any(axis=1)]
    ours = ConsensusLabels("crowdlab").fit(X, with_gaps(codes))
    majority = ConsensusLabels("majority").fit(X, with_gaps(codes)).labels_
    model = LabelErrorDetector(random_state=0).fit(X, majority).probabilities_
    table = pd.DataFrame(with_gaps(codes)).astype("Int64")
    theirs = multiannotator.get_label_quality_multiannotator(table, model, verbose=False)
    rows, annotators = theirs["label_quality"], theirs["annotator_stats"].sort_index()
    assert (rows["consensus_label"] == ours.labels_).mean() > 0.95
    assert spearmanr(rows["consensus_quality_score"], ours.quality_)[0] > 0.8
    assert spearmanr(annotators["annotator_quality"], ours.annotators_["quality"])[0] > 0.9


@pytest.mark.parametrize("method", METHODS)
def test_a_model_and_more_labels_help_and_order_and_names_do_not_matter(problem, method):
    X, y, codes = problem
    plain = clone(ConsensusLabels(method)).fit(X, with_gaps(codes))
    accuracy, has_model = (plain.labels_ == y).mean(), method in ("features", "crowdlab")
    assert accuracy > (0.9 if has_model else 0.75) and (plain.labels_ == y)[plain.next_rows(60)].mean() < accuracy
    assert not has_model or plain.labels_[7] == y[7]  # of which there is no label
    assert spearmanr(plain.annotators_["quality"], range(6))[0] < -0.9
    np.testing.assert_allclose(plain.probabilities_.sum(axis=1), 1)
    assert plain.n_labels_.tolist() == (codes >= 0).sum(axis=1).tolist()
    order = np.array([3, 1, 5, 0, 4, 2])
    table = pd.DataFrame(with_gaps(codes, ["a", "b", "c"])[:, order], columns=[f"by {j}" for j in order])
    other = ConsensusLabels(method).fit(X, table)
    assert (np.array(["a", "b", "c"])[plain.labels_] == other.labels_).all()
    np.testing.assert_allclose(plain.quality_, other.quality_, atol=1e-6)
    assert other.annotators_["name"].tolist() == table.columns.tolist()
    expected = plain.annotators_.drop(columns="name").iloc[order].reset_index(drop=True)
    pd.testing.assert_frame_equal(other.annotators_.drop(columns="name"), expected, atol=1e-6)
    if not has_model:  # a forest breaks ties of splits by the order of classes
        turned = ConsensusLabels(method).fit(X, with_gaps(codes, [2, 0, 1]))
        np.testing.assert_allclose(turned.quality_, plain.quality_, atol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_sparse_and_equal_annotators(problem, method):
    X, y, codes = problem
    silent = np.column_stack([with_gaps(codes), np.full(400, np.nan)])
    found = ConsensusLabels(method).fit(scipy.sparse.coo_array(X), silent)
    last = found.annotators_.iloc[-1]
    assert last["n_labels"] == 0 and last[["quality", "agreement"]].isna().all()
    assert np.isfinite(found.probabilities_).all()
    equal = ConsensusLabels(method).fit(X, np.column_stack([y, y, y]))
    assert (equal.labels_ == y).all() and (equal.annotators_["agreement"] == 1).all()
    assert (equal.quality_ > 0.6).all()
    codes = codes.copy()
    codes[3, :2] = 3  # a class of one sample
    rare = ConsensusLabels(method).fit(X, with_gaps(codes, [0, 1, 2, 3]))
    assert rare.probabilities_.shape == (400, 4) and np.isfinite(rare.probabilities_).all()


@pytest.mark.parametrize("method", ["features", "dawid_skene"])
def test_who_says_the_same_of_all_samples_is_left_out(problem, method):
    X, y, codes = problem
    few = with_gaps(codes[:, :2])
    plain = ConsensusLabels(method, classes=range(3)).fit(X, few)
    with pytest.warns(UserWarning, match="all labels of annotator 'lazy' are of one class"):
        found = ConsensusLabels(method, classes=range(3)).fit(X, pd.DataFrame(few).assign(lazy=1))
    np.testing.assert_array_equal(found.probabilities_, plain.probabilities_)
    assert abs(found.annotators_["quality"].iloc[-1] - found.probabilities_[:, 1].mean()) < 1e-9
    seldom = np.where(y == 1, 1.0, np.nan)  # names one class, where it is right
    with warnings.catch_warnings(action="error"):
        ConsensusLabels(method).fit(X, np.column_stack([y, y, seldom]))


def test_constant_annotators_by_hand():
    """Of 20 labels or more, if more than a tenth of those of others differ, and two others are left."""
    codes = np.zeros((20, 3), int)
    codes[:2, 1:] = 1
    assert not constant(codes).any()  # 4 of 40
    codes[19, 2] = -1  # of 39
    assert constant(codes).tolist() == [True, False, False] and not constant(codes[:19]).any()
    codes[:, 1] = 1
    assert not constant(codes).any()


def test_large_labels_beside_gaps_of_polars_stay_apart():
    large = [5, 2**60 + 1, 2**60 + 2, 5] * 3
    votes = {name: [None if i == place else label for i, label in enumerate(large)] for place, name in enumerate("uvw")}
    assert ConsensusLabels("majority").fit(None, polars.DataFrame(votes)).labels_.tolist() == large


def test_ties_go_to_the_class_that_is_given_more_often():
    votes = [["b", "a"], ["a", "b"], ["b", "b"], ["c", None]]
    found = ConsensusLabels("majority").fit(None, votes)
    assert found.labels_.tolist() == ["b", "b", "b", "c"] and found.quality_.tolist() == [0.5, 0.5, 1, 1]
    assert found.next_rows(4).tolist() == [0, 1, 3, 2]  # fewest labels first
    again = ConsensusLabels("dawid_skene").fit(None, votes).set_params(method="majority").fit(None, votes)
    assert vars(again).keys() == vars(found).keys()  # no matrices of the other method


def test_estimator_groups_and_a_consensus_of_one_class(problem):
    X, y, codes = problem
    found = ConsensusLabels(detector=LabelErrorDetector(GaussianNB(), random_state=0))
    assert (found.fit(X, with_gaps(codes), groups=np.arange(400) // 4).labels_ == y).mean() > 0.85
    grouped = ConsensusLabels("crowdlab").fit(X, with_gaps(codes), groups=np.arange(400) // 4)
    shares = np.bincount(ConsensusLabels("majority").fit(X, with_gaps(codes)).labels_[grouped.n_labels_ > 0])
    np.testing.assert_allclose(grouped.probabilities_[7], shares / shares.sum())  # others of its group have labels
    one = (np.arange(1200) == 15).reshape(400, 3).astype(int)
    assert (ConsensusLabels().fit(X, one).labels_ == 0).all()
    sure = ConsensusLabels(detector=LabelErrorDetector(KNeighborsClassifier(1), random_state=0))  # and knows nothing
    accuracy = (sure.fit(np.random.default_rng(0).random((400, 3)), with_gaps(codes)).labels_ == y).mean()
    assert accuracy > 0.75 and abs(accuracy - sure.quality_.mean()) < 0.05


X, Y = np.arange(20.0).reshape(10, 2), np.array([["a", "b", None]] * 10, object)
SINGLE = np.where(np.eye(10, 3) > 0, "a", None)


@pytest.mark.parametrize(
    ("options", "arguments", "words"),
    [
        ({}, (X, Y[:, :1]), "no sample with labels of two annotators.*LabelErrorDetector"),
        ({}, (X, SINGLE), "no sample with labels of two annotators"),
        ({}, (X, Y[:, [0, 0]]), "only one class, 'a'"),
        ({}, (None, Y), "'features' needs features; give X, or choose 'dawid_skene'"),
        *(({"method": name}, (X[:9], Y), "inconsistent numbers of samples") for name in ("features", "dawid_skene")),
        ({"classes": ["a", "c"]}, (X, pd.DataFrame(Y, columns=["Ann", "Ben", "C"])), "annotator 'Ben' holds .* 'b'"),
        ({"method": "vote"}, (X, Y), "'method' parameter"),
    ],
)  # fmt: skip
def test_refusals(options, arguments, words):
    with pytest.raises(ValueError, match=words):
        ConsensusLabels(**options).fit(*arguments)
