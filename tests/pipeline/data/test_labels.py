"""Labels as codes, two groups of similar size, and the parts of a split."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import train_test_split

from ironbark.errors import InputError
from ironbark.pipeline.data import labels
from ironbark.pipeline.data.catalog import groups, text
from ironbark.pipeline.data.roles import partition


def coded(values, **options):
    return labels.encode("data set 'd'", pd.DataFrame({"x": 0, "t": pd.Series(values, **options)}), "t")


@pytest.mark.parametrize(
    ("values", "classes"),
    [
        ([10, 9, -1, 10], ["-1", "9", "10"]),
        ([0.5, 0.25, 2.0, 0.5], ["0.25", "0.5", "2"]),
        (["b", "B", "a", "b"], ["B", "a", "b"]),
        (["10", "9", "x", "10"], ["10", "9", "x"]),
        (["01", "1", "10", "9"], ["01", "1", "10", "9"]),
        (["nan?", "inf", "1", "nan?"], ["1", "inf", "nan?"]),
    ],
)
def test_classes_are_sorted_and_codes_point_at_them(values, classes):
    result = coded(values)
    assert result.classes == classes
    assert result.y.dtype == np.uint8
    assert [result.classes[k] for k in result.y] == [text(value) for value in values]
    assert result.counts == [sum(text(value) == name for value in values) for name in classes]


def test_number_text_and_category_give_the_same_codes():
    numbers = [3, 10, 2, 3]
    for other in (map(float, numbers), map(str, numbers), pd.Categorical(list(map(str, numbers)))):
        assert coded(list(other)).y.tolist() == coded(numbers).y.tolist() == [1, 2, 0, 1]


@pytest.mark.parametrize("dtype", ["float32", "Float32", "float16", "float64"])
def test_labels_of_short_floats_have_short_names(dtype):
    frame = pd.DataFrame({"t": pd.Series([0.1, 2, 0.3, 0.1], dtype=dtype)})
    found = labels.encode("d", frame, "t")
    assert (found.classes, found.y.tolist(), found.counts) == (["0.1", "0.3", "2"], [0, 2, 1, 0], [2, 1, 1])
    assert labels.counts(frame["t"]) == {"0.1": 2, "0.3": 1, "2": 1}
    assert labels.given("d", frame, "t", found.classes).tolist() == [0, 2, 1, 0]
    names = labels.renamed("d", frame, "t", {0.1: "a", 0.3: "b", 2: "c"})["t"]
    assert names.tolist() == ["a", "c", "b", "a"]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: coded([1, 1]), "has a single class, 1; choose another target"),
        (lambda: coded(["a", None, None]), "2 of 3 labels in column 't' are missing"),
        (lambda: coded(list(range(256))), "has 256 classes, more than 255"),
        (lambda: labels.binary("data set 'd'", coded([0, 1]), [7]), "names '7', which is not a label; they are 0, 1"),
        (lambda: labels.binary("data set 'd'", coded([0, 1]), [1, 0]), "names all labels, so class 0 is empty"),
        (
            lambda: labels.renamed("data set 'd'", pd.DataFrame({"t": [7]}), "t", {"0": "a"}),
            "no name for the label '7'",
        ),
        (lambda: labels.renamed("data set 'd'", pd.DataFrame({"t": [7]}), "y", {}), "no target column 'y'"),
    ],
)
def test_bad_targets_and_labels_are_named(call, sentence):
    with pytest.raises(InputError, match="data set 'd'.*" + sentence):
        call()


def test_binary_task_of_two_classes():
    multi = coded([2, 1, 2, 2])
    assert labels.binary("d", multi).y.tolist() == [1, 0, 1, 1]
    smaller = labels.binary("d", multi, [1])
    assert (smaller.y.tolist(), smaller.classes, smaller.counts) == ([0, 1, 0, 0], ["2", "1"], [3, 1])


def test_binary_task_of_more_classes():
    multi = coded([0, 1, 2, 3, 4, 4])
    assert labels.binary("d", multi) is None
    even = labels.binary("d", multi, ["0", 2, 4.0])
    assert (even.y.tolist(), even.classes, even.counts) == ([1, 0, 1, 0, 1, 1], ["1|3", "0|2|4"], [2, 4])


def test_grouped_binary_task_names_its_labels():
    multi = coded(list("aabbbbcccd"))  # 2, 4, 3 and 1
    grouped = labels.binary("d", multi, grouped=True)
    assert grouped.groups == [["a", "c"], ["b", "d"]]
    assert (grouped.classes, grouped.counts) == (["a|c", "b|d"], [5, 5])
    assert grouped.y.tolist() == [0, 0, 1, 1, 1, 1, 0, 0, 0, 1]


@pytest.mark.parametrize("kind", ["object", "category", "str"])
def test_labels_are_renamed(kind):
    frame = pd.DataFrame({"t": pd.Series(["no", "yes", "no", "no"], dtype=kind)})
    found = labels.encode("d", labels.renamed("d", frame, "t", {"no": 1, "yes": -1}), "t")
    assert (found.classes, found.y.tolist()) == (["-1", "1"], [1, 0, 1, 1])
    assert frame["t"].tolist() == ["no", "yes", "no", "no"]


def test_counts_of_labels_are_by_their_text_in_the_order_of_the_classes():
    assert list(labels.counts(pd.Series([10.0, 9, 9, None])).items()) == [("9", 2), ("10", 1)]
    unused = pd.Series(pd.Categorical(["b", "a", "b"], categories=["a", "b", "c"]))
    assert list(labels.counts(unused).items()) == [("a", 1), ("b", 2)]


def sizes(counts):
    sides = groups(counts)
    return sum(c for c, s in zip(counts, sides, strict=True) if not s), sum(
        c for c, s in zip(counts, sides, strict=True) if s
    )


def slow(counts):
    """The same rule by counting through all subsets as bit patterns, and the tuple rule by sorting."""
    k, found = len(counts), []
    for pattern in range(2 ** (k - 1) - 1):
        zeros = [0, *(i for i in range(1, k) if pattern >> (i - 1) & 1)]
        ones = [i for i in range(k) if i not in zeros]
        found.append((abs(sum(counts[i] for i in zeros) - sum(counts[i] for i in ones)), tuple(zeros)))
    zeros = sorted(found)[0][1]
    return [int(i not in zeros) for i in range(k)]


@pytest.mark.parametrize("seed", range(40))
def test_up_to_sixteen_classes_against_a_slow_search(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 6 if seed % 2 else 300, rng.integers(2, 9)).tolist()
    assert groups(counts) == slow(counts)


@pytest.mark.parametrize(
    ("counts", "sides"),
    [([5, 9], [0, 1]), ([1, 1, 1, 1], [0, 0, 1, 1]), ([1, 1, 1], [0, 1, 1]), ([330] * 7, [0, 0, 0, 1, 1, 1, 1])],
)
def test_ties_and_order(counts, sides):
    assert groups(counts) == sides


def test_sixteen_classes_are_searched_and_seventeen_dealt_out():
    counts = [100, *[1] * 14, 100]
    assert sizes(counts) == (107, 107)
    dealt = [3, 1, 1, *[1] * 14]  # 3 to the first, then to the smaller group in turn
    assert groups(dealt) == [0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert sizes(dealt) == (10, 9)


N = 8124
Y = (np.arange(N) % 3).astype(np.uint8)


@pytest.mark.parametrize("stratify", [False, True])
def test_random_split_is_that_of_scikit_learn(stratify):
    parts = partition("d", None, Y, {"train_size": 0.8, "random_state": 0, "stratify": stratify})
    rows = pd.DataFrame({"row": np.arange(N)})  # split a table rather than indices
    train, test = train_test_split(rows, train_size=0.8, random_state=0, stratify=Y if stratify else None)
    assert sorted(train["row"]) == np.flatnonzero(parts == 0).tolist()
    assert sorted(test["row"]) == np.flatnonzero(parts == 1).tolist()
    assert parts.dtype == np.uint8


def test_random_split_of_mushrooms_has_the_published_sizes():
    parts = partition("d", None, Y, {"train_size": 0.8})
    assert np.bincount(parts).tolist() == [6499, 1625]
    spelt_out = partition("d", None, Y, {"train_size": 0.8, "random_state": 0, "stratify": False})
    np.testing.assert_array_equal(parts, spelt_out)


def test_official_splits():
    frame = pd.DataFrame({"part": ["test", "train", "train", "test"]})
    assert partition("d", frame, Y[:4], {"column": "part"}).tolist() == [1, 0, 0, 1]
    assert partition("d", frame, Y[:4], {"train_rows": 3}).tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("split", "sentence"),
    [
        ({"column": "fold"}, "there is no split column 'fold'; set `split` to one of part, odd"),
        ({"column": "odd"}, "split column 'odd' holds .*valid; only train and test"),
        ({"column": "part"}, "leaves the test part empty"),
        ({"train_size": 0.9, "stratify": True}, "`split` cannot be made: "),
    ],
)
def test_bad_splits_are_named(split, sentence):
    frame = pd.DataFrame({"part": ["train"] * 4, "odd": ["train", None, "valid", "test"]})
    with pytest.raises(InputError, match="data set 'd': .*" + sentence):
        partition("data set 'd'", frame, Y[:4], split)
