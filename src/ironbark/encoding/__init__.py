"""Rank codes of a feature matrix, made once for all fits of one X."""

from ironbark.encoding.features import EncodedFeatures, encode

__all__ = ["EncodedFeatures", "encode"]
