"""Entries that could not run are refused while planning: one sentence that names the culprit and a remedy."""

import pytest
from pipeline.plan.small import put

from ironbark.errors import InputError
from ironbark.pipeline.plan import specs
from ironbark.pipeline.plan.specs import Plan

KINDS = ("fixed-split", "repeated-cv", "random-partitions", "training-sizes", "grouped")
FIXED, CV, PARTITIONS, SIZES, GROUPED = ({"kind": kind, "repeats": 1} for kind in KINDS)
MATRIX_OF_TWO = {"model": "matrix", "params": {"matrix": [[0.9, 0.1], [0, 1]]}}
BINARY, THREE = "studies/small/grids/0", "studies/small/grids/1"
TABLE, FIGURE, PROTOCOL = "studies/small/tables/one", "studies/small/figures/one", "studies/small/protocol"
TREE = "sklearn.tree.DecisionTreeClassifier"
SHORT = {"kind": "accuracy", "task": "binary"}
MATRIX = {"kind": "transition-matrix", "dataset": "three", "task": "multiclass", "noises": ["uniform-0.6"]}
PANEL = {"title": "A", "task": "binary", "methods": ["dt-gini", "rf-gini"]}
PANELS = {"kind": "noise-panels", "dataset": "two", "panels": [PANEL]}
TWO = ["clean", "uniform-0.2"]
LINE = {"label": "A", "methods": ["dt-gini"], "noises": TWO}
SERIES = {"kind": "series", "task": "binary", "x": [0, 0.2], "series": [LINE]}
CURVES = {"kind": "noise-curves", "task": "binary"}
ANE = {"published": "ane", "methods": {}}


def without(spec, key):
    return {name: value for name, value in spec.items() if name != key}


def compared(**entry):
    return "studies/small/compare", ANE | entry


#: Place in the configuration of `conftest`, or its end with a + for a list; what is put there; words of the sentence.
MISTAKES = [
    # ids, tasks and data sets
    (f"{BINARY}/datasets/+", "tow", "study 'small'", "unknown data set 'tow'", "mean 'two'"),
    (f"{BINARY}/noises/+", "uniform-0.3", "unknown noise 'uniform-0.3'", "mean 'uniform-0."),
    (f"{BINARY}/methods/+", "dt-ginni", "unknown method 'dt-ginni'", "mean 'dt-gini'"),
    (f"{BINARY}/methods/+", "al-trees", "unknown method 'al-trees'", "mean 'all-trees'"),
    (f"{BINARY}/tasks/+", "multiclass", "'two' has two classes", "no multiclass task", "ask for binary"),
    (f"{THREE}/tasks/+", "binary", "'three' has 3 classes", "'positive'", "'binary: grouped'"),
    (f"{THREE}/datasets/+", "own", "'own' has no split", "'fixed-split'", "'repeated-cv'"),
    (f"{THREE}/methods/+", "dt-pairwise", "method 'dt-pairwise' can't do the multiclass", "only binary", "take it out"),
    ("methods/dt-gini/preprocess", "zscore", "method 'dt-gini'", "unknown preprocessing 'zscore'", "zscore-rows"),
    ("methods/dt-gini", {"estimator": TREE, "preprocess": "categories"}, "`preprocess: categories` is for"),
    ("methods/dt-gini/params/criterion", "ginni", "method 'dt-gini'", "unknown criterion 'ginni'", "mean 'gini'?"),
    ("datasets/two/loader", "breast_canser", "'two': unknown loader 'breast_canser'", "mean 'breast_cancer'"),
    ("datasets/two", {"title": "S", "source": "text-svd", "texts": "thre"}, "`texts` of 'two'", "mean 'three'"),
    # protocols
    (PROTOCOL, FIXED | {"kind": "fixed-splt"}, "unknown protocol 'fixed-splt'", "mean 'fixed-split'"),
    (PROTOCOL, CV | {"fold": 3}, "has no option 'fold'", "mean 'folds'"),
    (PROTOCOL, CV | {"folds": 151}, "'three' has 150 rows", "fewer than the 151 folds", "ask for fewer"),
    (PROTOCOL, CV | {"folds": 60}, "class 'a' of data set 'three' has 50 samples", "fewer folds, or leave out"),
    (PROTOCOL, FIXED | {"max_train": 2}, "a part of 2 samples is smaller than the 3 classes", "choose other sizes"),
    (PROTOCOL, PARTITIONS | {"test_size": 150}, "a part of 0 samples is smaller than the 3 classes", "'three'"),
    (PROTOCOL, SIZES | {"sizes": [100, 300]}, "'three' has 135 training samples, fewer than the 300 of `sizes`"),
    (PROTOCOL, GROUPED, "data set 'two' names no groups", "'grouped'", "set `groups`", "'random-partitions'"),
    # noises
    ("noises/uniform-0.2/model", "unifrom", "noise 'uniform-0.2'", "unknown noise 'unifrom'", "mean 'uniform'"),
    ("noises/uniform-0.6/rate", 0.67, "'uniform-0.6'", "rate 0.67", "[0, 0.6667) for 3 classes"),
    ("noises/uniform-0.2/params", {"exat": True}, "no parameter 'exat'", "mean 'exact'"),
    (f"{THREE}/noises/+", "cc", "noise 'cc'", "works for binary only", "drop it"),
    ("noises/uniform-0.6", MATRIX_OF_TWO, "noise 'uniform-0.6' has a 2 x 2 matrix, but there are 3 classes"),
    # scales
    ("studies/small/scales/full", {"datasets": ["for"]}, "keeps the datasets for", "no grid has", "correct its caps"),
    ("studies/small/scales/full", {"datasets": ["two"], "noises": ["uniform-0.6"]}, "'small' is empty", "larger scale"),
    ("studies/small/scales/full", {"max_train": 2}, "study 'small': a part of 2 samples is smaller than the 3 classes"),
    # comparisons and names
    (*compared(methods={"DT": {"mse": "dt-gin"}}), "study 'small', compare", "'dt-gin' is in none", "mean 'dt-gini'"),
    (*compared(methods={"DT": {}}, metrics={"DT": "eror"}), "study 'small', compare", "metric 'eror' is unknown"),
    (*compared(methods={"DT": {}}, metrics={"DT": "n_leaves"}), "metric 'n_leaves' is no share", "choose one"),
    (*compared(methods={"DT": {}}, metrics={"TD": "error"}), "unknown published model 'TD'; choose one of DT"),
    (
        *compared(despite={"twoo": "Why."}),
        "study 'small', dataset_labels or despite",
        "'twoo' is in none",
        "mean 'two'",
    ),
    ("studies/small/dataset_labels", {"twoo": "Two"}, "dataset_labels", "'twoo' is in none", "mean 'two'"),
    ("studies/small/if_absent", {"z": None}, "`if_absent` names 'z', which no grid has", "take it out"),
    ("studies/small/if_absent", {"two": "too"}, "`if_absent`", "unknown data set", "'too'", "mean 'two'?"),
    # tables
    (TABLE, without(SHORT, "task"), "table 'one'", "mixes both tasks", "set `task`"),
    (TABLE, SHORT | {"metric": "acuracy"}, "metric 'acuracy' is unknown", "choose one of"),
    (TABLE, SHORT | {"methods": ["sk"]}, "method 'sk' is in none of its grids"),
    (TABLE, SHORT | {"datasets": ["thre"]}, "data set 'thre' is in none of its grids", "mean 'three'"),
    (TABLE, SHORT | {"kind": "errors", "risk_of": "sk"}, "method 'sk' is in none", "choose one of dt-entropy"),
    (TABLE, SHORT | {"kind": "ranks", "methods": ["dt-gini"]}, "'ranks' needs two methods on a data set; add"),
    (TABLE, {"kind": "trade-off", "task": "binary"}, "needs published values; add the key 'compare'"),
    (TABLE, SHORT | {"kind": "rank-table", "printed_methods": dict.fromkeys("ab", "dt-gini")}, "our methods twice"),
    # figures
    *((FIGURE, without(MATRIX, key), f"transition-matrix needs the key '{key}'; add") for key in ("dataset", "task")),
    (FIGURE, PANELS | {"panels": [PANEL | {"task": "multiclass"}]}, "no grid runs its data sets on its task"),
    (FIGURE, SERIES | {"x": [0, 0.2, 0.4]}, "the series 'A' needs 3 methods and one noise"),
    (FIGURE, SERIES | {"series": [LINE | {"noises": ["clean", "cc"]}]}, "noise 'cc' is in none of its grids"),
    (FIGURE, SERIES | {"paper": "rmb"}, "`paper` and `printed_methods`", "go together"),
    (FIGURE, SERIES | {"paper": "rmb", "printed_methods": {"A": "x"}}, "method 'x' is in none of its grids"),
    (FIGURE, {"kind": "by-dataset", "noises": TWO}, "shows one noise; set `noises` to one of clean,"),
    (TABLE, SHORT | {"pairs": [["dt-gini", "rf-gini"]]}, "the kind 'accuracy' takes no key 'pairs'; leave it out"),
    (FIGURE, CURVES | {"line": "unifrm"}, "unknown noise 'unifrm'; did you mean 'uniform'?"),
    (FIGURE, CURVES | {"line": "pair-flip"}, "the noise model 'pair-flip'; write it as 'pair_flip'"),
    (FIGURE, {"kind": "gains", "task": "binary", "reference": "x"}, "method 'x' is in none of its grids"),
    # settings
    ("settings/mirror", "nowhere", "there is no mirror folder 'nowhere'", "correct --config mirror=DIR"),
    ("settings/methods", ["dt-ginni"], "--config methods: unknown method 'dt-ginni'", "mean 'dt-gini'"),
    ("settings/methods", ["deep"], "--config methods: method 'deep'", "no parameter 'max_dpth'", "did you mean"),
    ("settings/datasets", ["own"], "--config datasets: data set 'own'", "number of classes is not known; add `exp"),
    ("settings/only", ["dt-ginni"], "'dt-ginni' is no id, no group and no pattern of ids", "mean 'dt-gini'"),
    ("settings/only", ["own"], "study 'small': --config only=own keeps none of its fits", "name others"),
]


def planned(config):
    plan = Plan(config)
    specs.check(plan, plan.study(plan.part("small"), "full"))


@pytest.mark.parametrize(("place", "value", "parts"), [(place, value, parts) for place, value, *parts in MISTAKES])
def test_mistakes(config, place, value, parts):
    config["groups"]["methods"]["all-trees"] = ["dt-gini"]
    config["methods"]["deep"] = {"estimator": TREE, "params": {"max_dpth": 3}}
    config["datasets"]["three"]["expect"]["counts"] = dict.fromkeys("abc", 50)
    planned(config)
    put(config, place, value)
    with pytest.raises(InputError) as caught:
        planned(config)
    assert "\n" not in str(caught.value)
    assert all(part in str(caught.value) for part in parts), caught.value


def test_several_mistakes(config, study):
    with pytest.raises(InputError, match="unknown study 'smal'; did you mean 'small'"):
        Plan(config).study("smal", "full")
    with pytest.raises(InputError, match="results/only/three/small is a part of a study; give the --config only"):
        Plan(config | {"settings": config["settings"] | {"only": ["two"]}}).study("only/three/small", "full")
    with pytest.raises(InputError, match="only: dt-gini leaves out 'rf-gini' of --config methods; add it"):
        planned(config | {"settings": config["settings"] | {"only": ["dt-gini"], "methods": ["rf-gini"]}})
    study["compare"] = ANE
    study["tables"]["one"] = {"kind": "trade-off", "task": "binary"}
    with pytest.raises(InputError, match="shows the published values of 'rmb'; compare the study with these"):
        planned(config)
    study["tables"] = {}
    study["grids"][0]["noises"].append("uniform-0.6")  # too high for two classes; smoke keeps `clean` only
    with pytest.raises(InputError, match="uniform-0.6"):
        Plan(config).study("small", "smoke")
    del study["grids"][0], study["figures"], study["scales"]
    config["settings"]["methods"] = ["dt-pairwise"]
    with pytest.raises(InputError, match="no grid of study 'small' can take the method 'dt-pairwise', which can do"):
        planned(config)
