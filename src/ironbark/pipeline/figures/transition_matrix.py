"""Heat maps of label transition matrices."""

import textwrap

import numpy as np

from ironbark.pipeline.figures.style import finish, grid_size, literal, new_figure, panels

LONGEST = 15  # characters of a class name; columns have numbers where one is longer
PRINTED = 10  # largest number of classes whose probabilities are printed into the cells
DARK = 0.55  # shares above this stand on a dark ground and are printed white
LETTERS = 11  # of a title that fit into an inch


def title(noise_label, flipped):
    """Title of a panel: the noise and the share of the labels that it changed, given as a fraction."""
    return f"{noise_label}\n{100 * flipped:.1f} % of labels flipped"


def draw(matrices, spec: dict, context):
    """Draw one heat map per matrix; a row is the true class, a column the noisy one."""
    columns, lines = grid_size(len(matrices), spec, 3)
    largest = max(len(names) for _, _, names in matrices)
    side = float(np.clip(0.42 * largest + 1.0, 2.3, 5.0))
    figure = new_figure(side * columns + 0.8, (side + 0.3) * lines, "compressed")
    axes = panels(figure, len(matrices), columns)
    for axis, (heading, matrix, names) in zip(axes, matrices, strict=True):
        wrapped = "\n".join(textwrap.fill(line, int(LETTERS * side)) for line in heading.splitlines())
        image = heat_map(axis, np.asarray(matrix, dtype=float), list(names), wrapped)
    bar = figure.colorbar(image, ax=axes, shrink=0.8, aspect=25, label="Probability")
    figure.get_layout_engine().set(rect=(0, 0, 0.98, 1))  # the layout forgets part of the label of the bar
    bar.outline.set_visible(False)
    about = f"{context.datasets[spec['dataset']]}, {spec['task']}, first split" if "dataset" in spec else ""
    return finish(figure, spec, about, context.note)


def heat_map(axis, matrix, names, heading):
    """Draw one row-stochastic matrix of shape (K, K) with K class names and a title; returns the image."""
    count, names = len(names), [literal(name) for name in names]
    image = axis.imshow(matrix, cmap="Blues", vmin=0, vmax=1)
    size = 8 if count <= PRINTED else 6
    if max(map(len, names)) > LONGEST:
        axis.set_xticks(range(count), range(1, count + 1), fontsize=size)
        names = [f"{name} ({number})" for number, name in enumerate(names, 1)]
    else:
        axis.set_xticks(range(count), names, rotation=45, ha="right", rotation_mode="anchor", fontsize=size)
    axis.set_yticks(range(count), names, fontsize=size)
    axis.tick_params(length=0)
    axis.grid(False)
    axis.spines[:].set_visible(False)
    axis.set(xlabel="Noisy class", ylabel="True class")
    axis.set_title(heading)
    if count <= PRINTED:
        for (row, column), value in np.ndenumerate(matrix):
            color = "white" if value > DARK else "black"
            digits = "" if value == 0 else f"{value:.2f}"
            axis.text(column, row, digits, ha="center", va="center", fontsize=7, color=color)
    return image
