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
        features.derived["lists"] = _build(features.codes)
    return features.derived["lists"]


def missing_codes(features):
    """Code of NaN of each feature, which is its largest one, or -1; ndarray of shape (n_features,), int64."""
    if "missing" not in features.derived:
        features.derived["missing"] = np.where(features.missing, np.diff(features.offsets) - 1, -1)
    return features.derived["missing"]


def _build(codes):
    n_features, n_samples = codes.shape
    n_levels = int(codes.max()) + 1
    shift = max(1, (n_samples - 1).bit_length())
    dtype = np.uint32 if shift + (n_levels - 1).bit_length() <= 32 else np.uint64
    mode, sizes = np.empty(n_features, np.int64), np.empty(n_features, np.int64)
    for j, column in enumerate(codes):
        counts = np.bincount(column)
        mode[j] = counts.argmax()
        sizes[j] = n_samples - counts[mode[j]]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    entries, samples = np.empty(offsets[-1], dtype), np.arange(n_samples, dtype=dtype)
    for j, column in enumerate(codes):
        own = entries[offsets[j] : offsets[j + 1]]
        np.compress(column != mode[j], (column.astype(dtype) << dtype(shift)) | samples, out=own)
        own.sort()
    return AttributeLists(entries, offsets, mode, shift)
