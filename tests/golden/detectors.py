"""Golden fits of detectors of label errors, and of cleaning."""

from golden.label_errors import cleaned, detectors

CASES = {**dict(detectors()), **dict(cleaned())}
