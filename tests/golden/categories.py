"""Golden fits of trees and forests that split categorical features by levels."""

from golden.trees import of_categories

CASES = dict(of_categories())
