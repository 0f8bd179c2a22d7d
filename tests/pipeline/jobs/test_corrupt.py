"""Labels files: what is read is what was written, and it depends on the ids alone."""

import numpy as np
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import protocols
from ironbark.pipeline.data import bundle
from ironbark.pipeline.results import noisy_labels


def test_round_trip(tmp_path, prepared, labels):
    found = noisy_labels.read(labels(repeats=3), "uniform-0.2")
    noisy_labels.write({"a": found, "b": found}, tmp_path / "again.npz")
    again = noisy_labels.read(tmp_path / "again.npz", "b")
    assert [s[:2] for s in found.splits] == [(0, 0), (1, 0), (2, 0)] == [s[:2] for s in again.splits]
    for one, two in zip(found.splits, again.splits, strict=True):
        np.testing.assert_array_equal(one.train, two.train)
        np.testing.assert_array_equal(one.test, two.test)
    for one, two in zip(found.noisy, again.noisy, strict=True):
        assert one.dtype == two.dtype == np.uint8
        np.testing.assert_array_equal(one, two)
    np.testing.assert_array_equal(found.transition, again.transition)
    np.testing.assert_array_equal(found.flips, again.flips)


@pytest.mark.parametrize("noise_id", ["clean", "uniform-0.2", "mahalanobis"])
def test_content_is_consistent(prepared, labels, noise_id):
    y = bundle.load(prepared).y("multiclass")
    found = noisy_labels.read(labels(noise_id), noise_id)
    for i, (split, noisy) in enumerate(zip(found.splits, found.noisy, strict=True)):
        assert not set(split.train) & set(split.test)
        assert len(split.train) + len(split.test) == len(y) and len(noisy) == len(split.train)
        counts = np.zeros((3, 3), int)
        for true, label in zip(y[split.train], noisy, strict=True):
            counts[true, label] += 1
        np.testing.assert_array_equal(found.flips[i], counts)
    np.testing.assert_allclose(found.transition.sum(axis=2), 1)
    if noise_id == "clean":
        np.testing.assert_array_equal(found.transition, np.broadcast_to(np.eye(3), (2, 3, 3)))
    else:
        assert (found.noisy[0] != y[found.splits[0].train]).any()


def test_bytes_are_the_same_again(labels):
    assert labels().read_bytes() == labels().read_bytes()


def test_first_repeats_do_not_depend_on_their_number(labels):
    two, three = (noisy_labels.read(labels(repeats=number), "uniform-0.2") for number in (2, 3))
    for i in range(2):
        np.testing.assert_array_equal(two.noisy[i], three.noisy[i])
    assert (three.noisy[2] != three.noisy[0]).any()
    other = noisy_labels.read(labels(renamed="uniform-0.2-again"), "uniform-0.2-again")
    assert (two.noisy[0] != other.noisy[0]).any()


def test_folds(prepared, tmp_path, labels):
    protocol = {"kind": "repeated-cv", "repeats": 2, "options": {"folds": 3, "max_train": None}}
    found = noisy_labels.read(labels(protocol=protocol), "uniform-0.2")
    y = bundle.load(prepared).y("multiclass")
    expected = protocols.splits("repeated-cv", y, None, ("small", "multiclass", "repeated-cv"), repeats=2, folds=3)
    for one, two in zip(found.splits, expected, strict=True):
        assert one[:2] == two[:2]
        np.testing.assert_array_equal(one.train, two.train)


def test_a_failure_leaves_no_file(tmp_path, labels):
    with pytest.raises(ValueError, match="'uniform-0.2' on data set 'small': .*rate"):
        labels(noise={"model": "uniform", "rate": 0.9, "params": {}})
    assert not (tmp_path / "labels" / "multiclass.npz").exists()


def test_prepared_data_that_were_altered_get_no_labels(prepared, labels, tmp_path):
    target = np.load(prepared / "target.npy")
    np.save(prepared / "target.npy", target[::-1])
    with pytest.raises(InputError, match="are not those of its meta.json; remove the folder"):
        labels()
    assert not list(tmp_path.glob("**/*.npz"))
