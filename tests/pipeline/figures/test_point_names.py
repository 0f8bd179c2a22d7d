"""Names beside points: where they stand."""

from itertools import combinations

import numpy as np
import pytest

from ironbark.pipeline.figures.point_names import MARK, name_points
from ironbark.pipeline.figures.style import new_figure, panels, styled


@styled
def figure_of(points, line=()):
    figure = new_figure(6, 4)
    [axis] = panels(figure, 1, 1)
    axis.set(xlim=(0, 1), ylim=(0, 1))
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return axis, name_points(axis, points, [{"fontsize": 6}] * len(points), line)


def boxes(texts):
    return [text.get_window_extent() for text in texts]


@pytest.mark.parametrize("seed", range(5))
def test_crowded_names_stand_apart_and_inside(seed):
    rng = np.random.default_rng(seed)
    spots = np.vstack([rng.uniform(0.4, 0.6, (20, 2)), rng.uniform(0, 1, (20, 2))])
    axis, texts = figure_of([(f"method number {k}", x, y) for k, (x, y) in enumerate(spots)], [(0, 0.5), (1, 0.6)])
    found = boxes(texts)
    for one, other in combinations(found, 2):
        assert not (min(one.x1, other.x1) - max(one.x0, other.x0) > 0.5
                    and min(one.y1, other.y1) - max(one.y0, other.y0) > 0.5)  # fmt: skip
    marks = axis.transData.transform(spots)
    along = axis.transData.transform(np.column_stack([np.linspace(0, 1, 500), np.linspace(0.5, 0.6, 500)]))
    for box in found:
        for x, y in [*marks, *along]:
            assert not (box.x0 < x < box.x1 and box.y0 < y < box.y1)
        assert box.x0 >= axis.bbox.x0 - 1 and box.y0 >= axis.bbox.y0 - 1 and box.x1 <= axis.figure.bbox.x1 + 1


def test_a_lonely_name_is_near_and_far_ones_are_led_to():
    axis, [text] = figure_of([("a", 0.5, 0.5)])
    assert np.hypot(*text.get_position()) < 2 * MARK
    assert not [note for note in axis.texts if note.get_gid() == "leader"]
    axis, texts = figure_of([(f"method {k}", 0.5, 0.5) for k in range(30)])
    leaders = [note for note in axis.texts if note.get_gid() == "leader"]
    assert 10 < len(leaders) < 30 and all(note.xy == (0.5, 0.5) for note in leaders)
