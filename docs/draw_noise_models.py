"""Picture of the noise models for the documentation: one toy set, one panel for each model."""

import argparse
import sys
from pathlib import Path

import numpy as np

from ironbark.noise import corrupt
from ironbark.pipeline.figures.style import LOOKS, finish, new_figure, styled

SIZES = (170, 120, 70)
MEANS = ((0.0, 0.0), (2.4, 0.0), (1.2, 2.0))
RATE = 0.2
#: Title -> model, rate and parameters.
PANELS = {
    "clean": ("clean", None, {}),
    "uniform": ("uniform", RATE, {"exact": True}),
    "pair_flip": ("pair_flip", RATE, {}),
    "mahalanobis": ("mahalanobis", None, {}),
    "random_matrix": ("random_matrix", RATE, {"exact": True}),
    "annotators": ("annotators", None, {"votes": 5, "dissenters": 1}),
    "part_dependent": ("part_dependent", RATE, {"exact": True}),
    "margin, type 3": ("margin", RATE, {"type": 3, "exact": True}),
    "borderline": ("borderline", RATE, {"exact": True}),
    "threshold, column 0": ("threshold", RATE, {"column": 0, "quantile": 0.6, "exact": True}),
    "group, column 1, rate 0.6": ("group", 0.6, {"column": 1, "exact": True}),
    "rare_class, rate 0.6": ("rare_class", 0.6, {"exact": True}),
}


def toy():
    """Three normal clouds of unequal size."""
    rng = np.random.default_rng(3)
    y = np.repeat(np.arange(3), SIZES)
    return rng.normal(scale=0.85, size=(len(y), 2)) + np.array(MEANS)[y], y


@styled
def draw():
    """Twelve panels; the colour is the noisy label, a ring marks a label that changed."""
    (X, y), figure = toy(), new_figure(8.4, 6.6)
    for axis, (title, (name, rate, params)) in zip(figure.subplots(3, 4).flat, PANELS.items(), strict=True):
        labels = corrupt(name, X, y, rate=rate, random_state=np.random.default_rng(1), **params)
        wrong = labels != y
        for k in range(3):
            axis.scatter(*X[labels == k].T, s=5, color=LOOKS[k].color, linewidths=0)
        axis.scatter(*X[wrong].T, s=22, facecolors="none", edgecolors="black", linewidths=0.6)
        axis.set(title=f"{title}\n{wrong.sum()} of {len(y)}", xticks=[], yticks=[])
    return finish(figure, {})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    draw().savefig(parser.parse_args().folder / "noise-models.png", dpi=180, metadata={"Software": None})


if __name__ == "__main__":
    sys.exit(main())
