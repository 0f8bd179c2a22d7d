"""Names beside points, none on top of another."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

DISTANCES = (4, 8, 13, 19, 26, 34, 44, 56, 70, 90)  # points from a mark to its name
DIRECTIONS = [math.tau * k / 16 for k in (1, 0, 15, 3, 13, 2, 14, 4, 12, 7, 9, 8, 5, 11, 6, 10)]  # right ones first
LED = 8  # distance from which a line leads to the name
MARK = 3  # points that a mark takes on each side


class Box(NamedTuple):
    """A rectangle in pixels."""

    x0: float
    y0: float
    x1: float
    y1: float

    def shared(self, other):
        """Area that both cover."""
        width = min(self.x1, other.x1) - max(self.x0, other.x0)
        height = min(self.y1, other.y1) - max(self.y0, other.y0)
        return max(width, 0) * max(height, 0)


def name_points(axis, points, styles: Sequence[dict], line=()):
    """Write the name of each point beside it, the nearest place first; lines lead to those that are far.

    The layout of the figure must be final.
    """
    pixel = axis.figure.dpi / 72
    marks = [axis.transData.transform((x, y)) for _, x, y in points]
    reach, dots = MARK * pixel, _dotted(axis.transData.transform(line) if len(line) else [])
    taken = [Box(x - reach, y - reach, x + reach, y + reach) for x, y in [*marks, *dots]]
    room = Box(axis.bbox.x0, axis.bbox.y0, axis.figure.bbox.x1, axis.figure.bbox.y1)
    return [
        _name(axis, point, mark, style, taken, room, pixel)
        for point, mark, style in zip(points, marks, styles, strict=True)
    ]


def _dotted(corners):
    """Places all along a line."""
    for (x0, y0), (x1, y1) in pairwise(corners):
        steps = int(max(abs(x1 - x0), abs(y1 - y0)) / MARK) + 1
        yield from ((x0 + (x1 - x0) * k / steps, y0 + (y1 - y0) * k / steps) for k in range(steps))


def _name(axis, point, mark, style, taken, room, pixel):
    name, x, y = point
    text = axis.annotate(name, (x, y), (0, 0), textcoords="offset points", gid="name", **style)
    extent = text.get_window_extent()
    distance, box = _place(mark, extent.width, extent.height, taken, room, pixel)
    taken.append(box)
    text.set_position(((box.x0 - mark[0]) / pixel, (box.y0 - mark[1]) / pixel))
    if distance >= LED:
        near = min(max(mark[0], box.x0), box.x1), min(max(mark[1], box.y0), box.y1)
        end = (near[0] - mark[0]) / pixel, (near[1] - mark[1]) / pixel
        line = {"arrowstyle": "-", "linewidth": 0.4, "color": style.get("color"), "shrinkA": 0, "shrinkB": 2}
        axis.annotate("", (x, y), end, textcoords="offset points", arrowprops=line, gid="leader")
    return text


def _place(mark, width, height, taken, room, pixel):
    """Distance and box of the nearest free place, or of the one that covers least."""
    found = []
    for distance in DISTANCES:
        for angle in DIRECTIONS:
            box = _box(mark, distance * pixel, angle, width, height)
            outside = width * height - box.shared(room)
            covered = outside + sum(map(box.shared, taken))
            if covered < 1e-6:
                return distance, box
            found.append((covered, distance, box))
    return min(found, key=lambda one: one[0])[1:]


def _box(mark, distance, angle, width, height):
    """The text's box whose nearest side or corner lies so far from the mark."""
    across, up = math.cos(angle), math.sin(angle)
    x = mark[0] + distance * across - width * _part(across)
    y = mark[1] + distance * up - height * _part(up)
    return Box(x, y, x + width, y + height)


def _part(cosine):
    """Share of the text on the near side: none, half or all."""
    return 0.5 if abs(cosine) < 0.35 else 0.0 if cosine > 0 else 1.0
