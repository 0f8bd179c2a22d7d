"""The data set's own split, and the table of protocols."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ironbark.errors
from ironbark.errors import InputError
from ironbark.pipeline.protocols import PROTOCOLS, check_options, splits
from ironbark.pipeline.results.noisy_labels import Split

IDS = ("toy", "binary", "fixed-split")
Y = np.arange(40) % 4
PARTS = (np.arange(40) % 10 < 3).astype(np.uint8)


def test_the_same_parts_in_every_repeat():
    found = list(splits("fixed-split", Y, PARTS, IDS, repeats=3))
    assert [(s.repeat, s.fold) for s in found] == [(0, 0), (1, 0), (2, 0)]
    for s in found:
        assert isinstance(s, Split) and s.train.dtype == s.test.dtype == np.int64
        assert s.train.tolist() == [i for i in range(40) if i % 10 >= 3]
        assert s.test.tolist() == [i for i in range(40) if i % 10 < 3]


def test_a_cap_draws_other_training_samples_in_each_repeat():
    one, two = splits("fixed-split", Y, PARTS, IDS, repeats=2, max_train=12)
    assert len(one.train) == len(two.train) == 12 and not np.array_equal(one.train, two.train)
    assert set(one.train) | set(two.train) <= set(np.flatnonzero(PARTS == 0))
    assert np.array_equal(one.test, two.test) and len(one.test) == 12


@pytest.mark.parametrize(
    ("split", "sentence"),
    [
        (None, "needs a data set with its own test part, but this one has none; choose 'repeated-cv' or 'random-part"),
        (PARTS[:-1], "must hold a 0 .train. or 1 .test. for each sample"),
        (np.zeros(40, np.uint8), "both must occur"),
        (PARTS + 1, "must hold a 0"),
    ],
)
def test_refused(split, sentence):
    with pytest.raises(InputError, match=sentence):
        list(splits("fixed-split", Y, split, IDS, repeats=1))


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_every_protocol_has_its_implementation_and_tested_defaults(kind):
    found = list(splits(kind, Y, PARTS, IDS, repeats=2))
    assert {s.repeat for s in found} == {0, 1}
    assert all(option.allows(option.default) for option in PROTOCOLS[kind].options.values())


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_the_first_repeats_never_depend_on_how_many_there_are(kind):
    cap = {"max_train": 20} if "max_train" in PROTOCOLS[kind].options else {"sizes": [20]}
    few, many = (list(splits(kind, Y, PARTS, IDS, repeats=r, **cap)) for r in (2, 5))
    for one, two in zip(few, many, strict=False):
        assert one[:2] == two[:2] and np.array_equal(one.train, two.train) and np.array_equal(one.test, two.test)


@pytest.mark.parametrize(
    ("kind", "options", "sentence"),
    [
        ("repeated-cv", {"fold": 3}, "protocol 'repeated-cv' has no option 'fold'; did you mean 'folds'"),
        ("fixed-split", {"folds": 3}, "protocol 'fixed-split' has no option 'folds'; it takes max_train"),
        ("repeated-cv", {"folds": 1}, "folds=1 .* must be an integer >= 2"),
        ("repeated-cv", {"folds": 2.0}, "folds=2.0 .* must be an integer >= 2"),
        ("random-partitions", {"test_size": 1.0}, "test_size=1.0 .* must be a fraction between 0 and 1 or a number"),
        ("random-partitions", {"test_size": float("nan")}, "test_size=nan .* must be a fraction"),
        ("random-partitions", {"test_size": 0}, "test_size=0 .* must be a fraction"),
        ("fixed-split", {"max_train": 1}, "max_train=1 .* must be null or an integer >= 2"),
        ("fixed-split", {"max_train": True}, "max_train=True .* must be null or an integer >= 2"),
    ],
)
def test_check_options_refuses(kind, options, sentence):
    with pytest.raises(InputError, match=sentence):
        check_options(kind, options)


@pytest.mark.parametrize("repeats", [0, 1.5, True, None])
def test_repeats_must_be_a_positive_integer(repeats):
    with pytest.raises(InputError, match="repeats=.* must be an integer >= 1"):
        splits("fixed-split", Y, PARTS, IDS, repeats=repeats)


def test_the_checks_load_no_numpy():
    code = (
        "import sys; from ironbark.pipeline import protocols; protocols.check_options('repeated-cv', {});"
        "sys.exit('numpy' in sys.modules)"
    )
    source = str(Path(ironbark.errors.__file__).parents[1])
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": source}, check=False)
    assert done.returncode == 0
