"""Picture of the robust focal loss for the documentation: value, gradient and Hessian against the margin."""

import argparse
import sys
from pathlib import Path

import numpy as np

from ironbark.boosting.gbdt.losses.kernels import BoostingLoss
from ironbark.pipeline.figures.style import LOOKS, finish, new_figure, save, styled

PAIRS = ((0.0, 0.0), (0.0, 0.3), (0.5, 0.1), (0.5, 0.3), (0.5, 0.5), (1.0, 0.3))
TITLES = ("Loss", "Gradient", "Hessian")


@styled
def draw():
    """Three panels, one line per (r, q)."""
    figure = new_figure(7.6, 2.7)
    axes = figure.subplots(1, 3)
    m = np.linspace(-6, 6, 601)
    y = np.ones(len(m))
    for (r, q), look in zip(PAIRS, LOOKS, strict=False):
        loss = BoostingLoss("robust_focal", r=r, q=q)
        for axis, values in zip(axes, (loss.values(y, m), *loss.derivatives(y, m)), strict=True):
            axis.plot(m, values, color=look.color, linestyle=look.linestyle, label=f"$r$ = {r:g}, $q$ = {q:g}")
    for axis, title in zip(axes, TITLES, strict=True):
        axis.set(title=title, xlabel="Margin", xlim=(-6, 6))
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center", handlelength=2.6)
    return finish(figure, {})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    save(draw(), parser.parse_args().folder / "robust-focal-loss")


if __name__ == "__main__":
    sys.exit(main())
