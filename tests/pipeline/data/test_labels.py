"""Labels as codes, two groups of similar size, the parts of a split, and features as numbers."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import train_test_split

from ironbark.errors import InputError
from ironbark.pipeline.data import frame, labels
from ironbark.pipeline.data.catalog import groups, text
from ironbark.pipeline.data.roles import partition

WHO = "data set 'd'"


def coded(values, **options):
    return labels.encode(WHO, pd.DataFrame({"x": 0, "t": pd.Series(values, **options)}), "t")


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
    assert result.classes == classes and result.y.dtype == np.uint8
    assert [result.classes[k] for k in result.y] == [text(value) for value in values]
    assert result.counts == [sum(text(value) == name for value in values) for name in classes]


def test_number_text_and_category_give_the_same_codes():
    numbers = [3, 10, 2, 3]
    for other in (map(float, numbers), map(str, numbers), pd.Categorical(list(map(str, numbers)))):
        assert coded(list(other)).y.tolist() == coded(numbers).y.tolist() == [1, 2, 0, 1]


@pytest.mark.parametrize("dtype", ["float32", "Float32", "float16", "float64"])
def test_labels_of_short_floats_have_short_names(dtype):
    table = pd.DataFrame({"t": pd.Series([0.1, 2, 0.3, 0.1], dtype=dtype)})
    found = labels.encode("d", table, "t")
    assert (found.classes, found.y.tolist(), found.counts) == (["0.1", "0.3", "2"], [0, 2, 1, 0], [2, 1, 1])
    assert labels.counts(table["t"]) == {"0.1": 2, "0.3": 1, "2": 1}
    assert labels.given("d", table, "t", found.classes).tolist() == [0, 2, 1, 0]
    names = labels.renamed("d", table, "t", {0.1: "a", 0.3: "b", 2.0: "c"})["t"]
    assert names.tolist() == ["a", "c", "b", "a"]


@pytest.mark.parametrize("kind", ["object", "category", "str"])
def test_labels_are_renamed(kind):
    table = pd.DataFrame({"t": pd.Series(["no", "yes", "no", "no"], dtype=kind)})
    found = labels.encode("d", labels.renamed("d", table, "t", {"no": 1, "yes": -1}), "t")
    assert (found.classes, found.y.tolist()) == (["-1", "1"], [1, 0, 1, 1])
    assert table["t"].tolist() == ["no", "yes", "no", "no"]


def test_binary_tasks():
    two = coded([2, 1, 2, 2])
    assert labels.binary("d", two).y.tolist() == [1, 0, 1, 1]
    smaller = labels.binary("d", two, [1])
    assert (smaller.y.tolist(), smaller.classes, smaller.counts) == ([0, 1, 0, 0], ["2", "1"], [3, 1])
    more = coded([0, 1, 2, 3, 4, 4])
    assert labels.binary("d", more) is None
    even = labels.binary("d", more, ["0", 2, 4.0])
    assert (even.y.tolist(), even.classes, even.counts) == ([1, 0, 1, 0, 1, 1], ["1|3", "0|2|4"], [2, 4])
    grouped = labels.binary("d", coded(list("aabbbbcccd")), grouped=True)  # 2, 4, 3 and 1
    assert (grouped.classes, grouped.counts, grouped.groups) == (["a|c", "b|d"], [5, 5], [["a", "c"], ["b", "d"]])
    assert grouped.y.tolist() == [0, 0, 1, 1, 1, 1, 0, 0, 0, 1]


def slow(counts):
    """The same rule by counting through all subsets as bit patterns, and the tuple rule by sorting."""
    k, found = len(counts), []
    for pattern in range(2 ** (k - 1) - 1):
        zeros = [0, *(i for i in range(1, k) if pattern >> (i - 1) & 1)]
        ones = [i for i in range(k) if i not in zeros]
        found.append((abs(sum(counts[i] for i in zeros) - sum(counts[i] for i in ones)), tuple(zeros)))
    zeros = sorted(found)[0][1]
    return [int(i not in zeros) for i in range(k)]


@pytest.mark.parametrize("seed", range(20))
def test_groups_against_a_slow_search(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 6 if seed % 2 else 300, rng.integers(2, 9)).tolist()
    assert groups(counts) == slow(counts)


@pytest.mark.parametrize(
    ("counts", "sides"),
    [
        ([100, *[1] * 14, 100], [0, *[0] * 7, *[1] * 7, 1]),  # sixteen are searched
        ([3, 1, 1, *[1] * 14], [0, 1, 1, 1, *[0, 1] * 6, 0]),  # more are dealt out: 3 to the first, then in turn
    ],
)
def test_groups_of_many_classes(counts, sides):
    assert groups(counts) == sides


N = 8124
Y = (np.arange(N) % 3).astype(np.uint8)


@pytest.mark.parametrize("stratify", [False, True])
def test_random_split_is_that_of_scikit_learn(stratify):
    parts = partition("d", None, Y, {"train_size": 0.8, "random_state": 0, "stratify": stratify})
    rows = pd.DataFrame({"row": np.arange(N)})  # split a table rather than indices
    train, test = train_test_split(rows, train_size=0.8, random_state=0, stratify=Y if stratify else None)
    assert sorted(train["row"]) == np.flatnonzero(parts == 0).tolist()
    assert sorted(test["row"]) == np.flatnonzero(parts == 1).tolist()
    assert parts.dtype == np.uint8 and np.bincount(parts).tolist() == [6499, 1625], "as published for mushrooms"


def test_official_splits():
    table = pd.DataFrame({"part": ["test", "train", "train", "test"]})
    assert partition("d", table, Y[:4], {"column": "part"}).tolist() == [1, 0, 0, 1]
    assert partition("d", table, Y[:4], {"train_rows": 3}).tolist() == [0, 0, 0, 1]
    assert partition("d", None, Y, {"train_size": 0.8}).sum() == 1625, "stratify and random_state have defaults"


def numeric(values, dtype=None, **options):
    return frame.numeric(WHO, pd.Series(values, name="c", dtype=dtype), **options)


KEEP = {"missing": "keep"}
ORDERED = ["1", "2", "11", "12"]


@pytest.mark.parametrize(
    ("values", "dtype", "options", "expected", "names"),
    [
        ([3, 1, 2], "int16", {}, {"c": [3, 1, 2]}, None),
        ([0.5, -1.0], "float32", {}, {"c": [0.5, -1.0]}, None),
        ([True, False], "bool", {}, {"c": [1, 0]}, None),
        ([Decimal("0.5"), Decimal("10")], object, {}, {"c": [0.5, 10.0]}, None),
        # ranks of the categories that occur
        (["b", "a", "C", "b"], "str", {}, {"c": [2, 1, 0, 2]}, ["C", "a", "b"]),
        (["b", "a", "b"], pd.CategoricalDtype(["z", "b", "a"]), {}, {"c": [1, 0, 1]}, ["a", "b"]),
        ([10, 9, 10], pd.CategoricalDtype([10, 9]), {}, {"c": [1, 0, 1]}, ["9", "10"]),
        (["12", "2", "1", "11"], pd.CategoricalDtype(ORDERED), {}, {"c": [3, 1, 0, 2]}, ORDERED),
        # missing values are above all others
        ([1.0, None, 3.5], None, KEEP, {"c": [1.0, 4.5, 3.5]}, None),
        ([1, None, 3], "Int64", KEEP, {"c": [1, 4, 3]}, None),
        ([1e300, None], None, KEEP, {"c": [1e300, np.nextafter(1e300, np.inf)]}, None),
        ([None, None], "float64", KEEP, {"c": [0, 0]}, None),
        ([True, None], object, KEEP, {"c": [1, 2]}, None),
        (["b", None, "a"], None, KEEP, {"c": [1, 2, 0]}, ["a", "b"]),
        (["b", None, "a"], None, KEEP | {"encode": "one-hot"}, {"c=a": [0, 0, 1], "c=b": [1, 0, 0]}, ["a", "b"]),
    ],
)
def test_columns_as_numbers(values, dtype, options, expected, names):
    features, categories = numeric(values, dtype, **options)
    assert {name: column.tolist() for name, column in features.items()} == expected and categories == names
    assert all(column.dtype.kind in "iuf" for column in features.values())


SEVEN = pd.DataFrame({"t": [7]})
PARTS = pd.DataFrame({"part": ["train"] * 4, "odd": ["train", None, "valid", "test"]})


def names_of(columns, drop=()):
    return frame.feature_names(WHO, pd.Index(columns), drop, {"target"})


#: Call, words of the sentence.
REFUSED = [
    (lambda: coded([1, 1]), "has a single class, 1; choose another target"),
    (lambda: coded(["a", None, None]), "2 of 3 labels in column 't' are missing"),
    (lambda: coded(list(range(256))), "has 256 classes, more than 255"),
    (lambda: coded([x / 10 for x in range(30)]), "has 27 labels such as 0.1 in 30 rows; choose a target of"),
    (lambda: coded([[1], [2]]), "holds labels of type list"),
    (lambda: coded([b"a", b"\xff"]), "holds labels of type bytes"),
    (lambda: labels.binary(WHO, coded([0, 1]), [7]), "names '7', which is not a label; they are 0, 1"),
    (lambda: labels.binary(WHO, coded(["no", "yes "]), ["yes"]), "'yes', which is not a label; they are no, 'yes '"),
    (lambda: labels.binary(WHO, coded([0, 1]), [1, 0]), "names all labels, so class 0 is empty"),
    (lambda: labels.renamed(WHO, SEVEN, "t", {"0": "a"}), "no name for the label '7'"),
    (lambda: labels.renamed(WHO, SEVEN, "y", {}), "no target column 'y'"),
    (lambda: partition(WHO, PARTS, Y[:4], {"column": "fold"}), "no split column 'fold'; set `split` to one of part"),
    (lambda: partition(WHO, PARTS, Y[:4], {"column": "odd"}), "'odd' holds .*valid; only train and test"),
    (lambda: partition(WHO, PARTS, Y[:4], {"column": "part"}), "leaves the test part empty"),
    (lambda: partition(WHO, PARTS, Y[:4], {"train_size": 0.9, "stratify": True}), "`split` cannot be made: "),
    (lambda: numeric([np.inf, 1.0, -np.inf]), "column 'c' has 2 infinite values in 3 rows"),
    (lambda: numeric(pd.to_datetime(["2020-01-01"])), "column 'c' is of type datetime64.*name it in `drop`"),
    (lambda: numeric([[1], [2]]), "column 'c' is of type mixed.*name it in `drop`"),
    (lambda: numeric([1j, 2j]), "column 'c' is of type complex128.*name it in `drop`"),
    (lambda: names_of(["a", "a", "target"]), "the column 'a' occurs twice"),
    (lambda: names_of([("a", "x"), ("target", "")]), r"have several levels, as \('a', 'x'\); join each"),
    (lambda: names_of([" b", "target"], ["b"]), "there is no column 'b' to drop; the columns are ' b', target"),
    (lambda: names_of(["a", "target"], ["a"]), "no feature column is left"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_bad_columns_are_named(call, words):
    with pytest.raises(InputError, match=f"{WHO}.*{words}"):
        call()
