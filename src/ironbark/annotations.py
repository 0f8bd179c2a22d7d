"""Types that the signatures of the public interface share."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix, sparray, spmatrix

from ironbark.encoding import EncodedFeatures

if TYPE_CHECKING:  # large modules that only conversions need
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier


__all__ = [
    "Any",
    "ArrayLike",
    "Callable",
    "DecisionTreeClassifier",
    "Generator",
    "Iterable",
    "Iterator",
    "NDArray",
    "RandomForestClassifier",
    "Self",
    "Sequence",
    "csr_matrix",
]

#: What scikit-learn takes as `random_state`.
RandomState = int | np.random.RandomState | None

#: Features that trees and forests take, and the values of their parameters.
Features = ArrayLike | EncodedFeatures | sparray | spmatrix
Criterion = str | Callable[..., Any]
MaxFeatures = int | float | str | None
ConstantFeatures = Literal["skip", "count"]
ClassWeight = Mapping[Any, float] | Literal["balanced"] | None
Price = float | Literal["auto"] | Sequence[float] | NDArray[np.float64]
Compat = Literal["rdts"] | None

#: Of `multi` of the XGBoost and LightGBM classifiers.
Multi = Literal["ovr", "softmax"]

#: Arrays that methods return.
Labels = NDArray[Any]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
