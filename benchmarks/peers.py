"""The programs that `trees.py` compares, one class each. A class imports its program when it is made, not before.

All of them grow until leaves are pure, on one thread. A forest draws bootstrap samples and √d features a node.
"""

from importlib import import_module

import numpy as np
from scipy.sparse import csc_matrix

#: What is fitted. The last two are a forest in scikit-learn; in ironbark the price of pruning is chosen out of bag, or
#: the trees grow with scikit-learn's rule for constant features.
KINDS = ("tree", "forest", "forest, self-tuned", "forest, scikit-learn's draws")


class Ironbark:
    """This library, or the copy of it that comes first on the path."""

    def __init__(self):
        self.library = import_module("ironbark")
        self.clock = import_module("ironbark.jit").CLOCK

    @staticmethod
    def takes(kind, criterion, variant):
        """Whether the program grows such trees from such data."""
        return True

    def prepare(self, X, y, weight):
        """What fits on the same data share, here the rank codes."""
        return self.library.encode(X)

    def model(self, kind, criterion, seed, trees, **options):
        """An estimator."""
        options = {"criterion": criterion, "random_state": seed, "ccp_alpha": 0.0, **options}
        if kind == "tree":
            return self.library.RobustDecisionTreeClassifier(**options)
        own = {KINDS[2]: {"ccp_alpha": "auto"}, KINDS[3]: {"constant_features": "count"}}
        return self.library.RobustRandomForestClassifier(trees, n_jobs=1, **{**options, **own.get(kind, {})})

    def fit(self, model, prepared, X, y, weight):
        """The fitted model, from what `prepare` returned; from the array where that is None."""
        return model.fit(X if prepared is None else prepared, y, sample_weight=weight)

    def predict(self, model, X):
        """Labels."""
        return model.predict(X)

    def nodes(self, model):
        """Number of nodes of all trees."""
        return sum(tree.node_count for tree in getattr(model, "trees_", [getattr(model, "tree_", None)]))

    def compiling(self):
        """CPU seconds spent on compiling so far."""
        return self.clock.seconds


class ScikitLearn(Ironbark):
    """scikit-learn, which has a sparse form where few entries are above 0, and else nothing to prepare."""

    def __init__(self):
        self.tree = import_module("sklearn.tree").DecisionTreeClassifier
        self.forest = import_module("sklearn.ensemble").RandomForestClassifier

    @staticmethod
    def takes(kind, criterion, variant):
        return criterion in ("gini", "entropy")

    def prepare(self, X, y, weight):
        return csc_matrix(X) if 20 * np.count_nonzero(X) < X.size else X

    def model(self, kind, criterion, seed, trees, **options):
        options = {"criterion": criterion, "random_state": seed, **options}
        return self.tree(**options) if kind == "tree" else self.forest(trees, n_jobs=1, **options)

    def nodes(self, model):
        return sum(tree.tree_.node_count for tree in getattr(model, "estimators_", [model]))

    def compiling(self):
        return 0.0


class Intelex(ScikitLearn):
    """Forests of scikit-learn-intelex: oneDAL's, over histograms of 256 bins."""

    def __init__(self):
        self.forest = import_module("sklearnex.ensemble").RandomForestClassifier

    @staticmethod
    def takes(kind, criterion, variant):
        return kind == "forest" and criterion == "gini" and variant == "plain"

    def fit(self, model, prepared, X, y, weight):
        super().fit(model, prepared, X, y, weight)
        if not hasattr(model, "_onedal_estimator"):
            raise RuntimeError("scikit-learn-intelex has handed this fit to scikit-learn")
        return model


class Ydf(ScikitLearn):
    """YDF: exact splits by information gain, its only one; features numerical, no validation, no out-of-bag scores."""

    def __init__(self):
        self.ydf = import_module("ydf")
        self.ydf.verbose(0)
        import_module("absl.logging").set_verbosity("error")  # each fit says that a made data set keeps its columns

    @staticmethod
    def takes(kind, criterion, variant):
        return kind in ("tree", "forest") and criterion == "gini" and variant == "plain"  # gini's rows only

    def prepare(self, X, y, weight):
        """A YDF dataset."""
        label = self.ydf.Column("label", self.ydf.Semantic.CATEGORICAL, min_vocab_frequency=1, max_vocab_count=-1)
        columns = [self.ydf.Column(name, self.ydf.Semantic.NUMERICAL) for name in columns_of(X)]
        return self.ydf.create_vertical_dataset({**columns_of(X), "label": y.astype(str)}, columns=[*columns, label])

    def model(self, kind, criterion, seed, trees, **options):
        same = {"label": "label", "max_depth": -1, "min_examples": 1, "random_seed": seed, "num_threads": 1, **options}
        if kind == "tree":
            return self.ydf.CartLearner(validation_ratio=0.0, **same)
        extra = {"winner_take_all": False, "compute_oob_performances": False, "num_candidate_attributes": 0}
        return self.ydf.RandomForestLearner(num_trees=trees, **extra, **same)

    def fit(self, model, prepared, X, y, weight):
        return model.train(self.prepare(X, y, weight) if prepared is None else prepared)

    def predict(self, model, X):
        found = np.asarray(model.predict(columns_of(X)))
        best = (found > 0.5).astype(int) if found.ndim == 1 else found.argmax(axis=1)
        return np.array(model.label_classes()).astype(int)[best]

    def nodes(self, model):
        return model.num_nodes()


def columns_of(X):
    """Features by name."""
    return {f"f{j}": X[:, j] for j in range(X.shape[1])}


#: Name -> class, in the order of the table.
PROGRAMS = {"ironbark": Ironbark, "scikit-learn": ScikitLearn, "YDF": Ydf, "scikit-learn-intelex": Intelex}

#: Name of a peer -> distribution to install.
PEERS = {"scikit-learn": "scikit-learn", "YDF": "ydf", "scikit-learn-intelex": "scikit-learn-intelex"}
