"""Sparse attribute lists: every feature's samples in order of value, made once for all fits of one X.

A list leaves out the samples that have the feature's most frequent code (its mode). An entry is one unsigned integer,
``code << shift | sample``, so sorted entries are sorted by code, then by sample.
"""

from typing import NamedTuple

import numpy as np


class AttributeLists(NamedTuple):
    """Lists of all features in one flat array."""

    entries: np.ndarray  # uint32, or uint64 where code and sample need more bits
    offsets: np.ndarray  # (n_features + 1,), int64: where each feature's list starts
    mode: np.ndarray  # (n_features,), int64: the code that is left out
    shift: int


def attribute_lists(features):
    """The lists of an `EncodedFeatures`, kept with it."""
    if "lists" not in features.derived:
        features.derived["lists"] = _build(features.codes, *_modes(features.codes))
    return features.derived["lists"]


def small_lists(features):
    """Lists to be parted in place, or None where they would take more memory than the `layouts` of nodewise growth."""
    modes, sizes = _modes(features.codes)
    size = sizes.sum() * _dtype(features.codes)[0]().itemsize
    if size > features.codes.nbytes + 8 * len(features):
        return None
    kept = features.derived.get("lists")
    return _build(features.codes, modes, sizes) if kept is None else kept._replace(entries=kept.entries.copy())


def missing_codes(features):
    """Code of NaN of each feature, which is its largest one, or -1; ndarray of shape (n_features,), int64."""
    if "missing" not in features.derived:
        features.derived["missing"] = np.where(features.missing, np.diff(features.offsets) - 1, -1)
    return features.derived["missing"]


def _modes(codes):
    """Most frequent code of each feature, and number of samples off it."""
    counts = [np.bincount(column) for column in codes]
    return np.array([own.argmax() for own in counts]), np.array([codes.shape[1] - own.max() for own in counts])


def _dtype(codes):
    """Type of entries, and bits of a sample's number."""
    shift = max(1, (codes.shape[1] - 1).bit_length())
    return np.uint32 if shift + int(codes.max()).bit_length() <= 32 else np.uint64, shift


def _build(codes, mode, sizes):
    n_samples, (dtype, shift) = codes.shape[1], _dtype(codes)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    entries, samples = np.empty(offsets[-1], dtype), np.arange(n_samples, dtype=dtype)
    for j, column in enumerate(codes):
        own = entries[offsets[j] : offsets[j + 1]]
        np.compress(column != mode[j], (column.astype(dtype) << dtype(shift)) | samples, out=own)
        own.sort()
    return AttributeLists(entries, offsets, mode, shift)
