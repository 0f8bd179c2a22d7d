"""Picture of README and docs/arena.md: gains over scikit-learn's forest, reported half of `arena-standard`."""

import argparse
import csv
import re
import sys
from pathlib import Path

import numpy as np

from ironbark.pipeline.figures.style import LOOKS, finish, new_figure, save, styled

TABLE = Path(__file__).parent / "tables/arena-standard-gains.csv"
CELL = re.compile(r"[\d.]+; ([+-][\d.]+) ± ([\d.]+)")  # mean; gain ± half of the interval
PANELS = {"Clean": "Clean labels", "Uniform 0.2": "Uniform noise, 20 %", "Uniform 0.4": "Uniform noise, 40 %"}
OURS = 3  # the first methods of the table


@styled
def draw():
    """A panel for each share of wrong labels, a line for each method."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["Half"] == "reported"]
    figure = new_figure(7.6, 3.0)
    axes = figure.subplots(1, 3, sharex=True, sharey=True)
    places = np.arange(len(rows))
    for axis, (noise, title) in zip(axes, PANELS.items(), strict=True):
        gain, half = np.array([CELL.fullmatch(row[noise]).groups() for row in rows], float).T
        for part, look, name in ((places < OURS, LOOKS[0], "ironbark"), (places >= OURS, LOOKS[1], "others")):
            style = {"fmt": look.marker, "color": look.color, "capsize": 2, "markersize": 5, "label": name}
            axis.errorbar(gain[part], places[part], xerr=half[part], **style)
        axis.axvline(0, color="0.4", linewidth=0.8)
        axis.set(title=title)
    axes[1].set(xlabel=f"Mean gain over {rows[0]['Data sets']} data sets (points), 95 % intervals")
    axes[0].set_yticks(places, [row["Method"] for row in rows])
    axes[0].invert_yaxis()
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return finish(figure, {})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    save(draw(), parser.parse_args().folder / "gains")


if __name__ == "__main__":
    sys.exit(main())
