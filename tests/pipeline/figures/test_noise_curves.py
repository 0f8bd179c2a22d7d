import itertools

import numpy as np
import pytest
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, Bbox

from ironbark.pipeline import figures
from ironbark.pipeline.results.records import FAILED, frame

NOISES = [("clean", "0"), ("uniform", "0.1"), ("uniform", "0.2"), ("class_conditional", "0.1/0.3"), ("mahalanobis", "")]
IDS = ["clean", "uniform-0.1", "uniform-0.2", "cc", "mahalanobis"]
SPEC = {"kind": "noise-curves", "noises": IDS}


def rows(datasets=("d1",), methods=("a", "b"), repeats=3):
    keys = itertools.product(datasets, enumerate(methods), enumerate(NOISES), range(repeats))
    for dataset, (j, method), (i, (noise, rate)), repeat in keys:
        about = {"dataset": dataset, "task": "binary", "method": method, "noise": noise, "rate": rate, "status": "ok"}
        accuracy = 0.9 - 0.1 * i - 0.05 * j + 0.01 * repeat
        yield about | {"noise_id": IDS[i], "repeat": repeat, "accuracy": accuracy}


def lines(axis):
    return [line for line in axis.lines if len(line.get_xdata()) == 3 and line.get_linestyle() != "None"]


def test_panels_lines_points_and_labels():
    methods = [f"m{i}" for i in range(11)]
    names = {"noise_labels": {"cc": "CC .1/.3"}, "dataset_labels": {"d0": "MNIST"}}
    data = frame(rows([f"d{i}" for i in range(4)], methods))
    figure = figures.draw(data, {**SPEC, "methods": methods}, {"m0": "First method"}, **names)
    assert [axis.get_title() for axis in figure.axes] == ["MNIST", "d1", "d2", "d3"]
    for axis in figure.axes:
        assert len(lines(axis)) == len(axis.containers) == 11
        assert [tick.get_text() for tick in axis.get_xticklabels()] == ["0", "0.1", "0.2", "CC .1/.3", "mahalanobis"]
        separators = [line.get_xdata()[0] for line in axis.lines if line.get_gid() == "separator"]
        first, second = (container[0].get_xdata() for container in axis.containers[:2])
        assert 0.2 < separators[0] < first[0] < second[0] < separators[1] < first[1] < second[1], "side by side"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["First method", *methods[1:]]
    points = figures.draw(data, {**SPEC, "noises": ["cc", "mahalanobis"]}).axes[0]
    curves = figures.draw(data, {**SPEC, "noises": IDS[:3]}).axes[0]
    assert not lines(points) and points.containers and lines(curves) and not curves.containers


def test_lines_and_bars_hold_the_right_numbers():
    figure = figures.draw(frame(rows(methods=["a"])), SPEC)
    axis = figure.axes[0]
    (line,) = lines(axis)
    assert list(line.get_xdata()) == [0, 0.1, 0.2]
    assert line.get_ydata() == pytest.approx([91, 81, 71])
    ends = [path.vertices[:, 1] for path in axis.collections[0].get_paths()]
    np.testing.assert_allclose(ends, [[89, 93], [79, 83], [69, 73]])
    points, _, (bars,) = axis.containers[0]
    assert points.get_ydata() == pytest.approx([61, 51])
    assert min(points.get_xdata()) > 0.2
    assert bars.get_segments()[0][:, 1] == pytest.approx([59, 63])


def test_the_axis_of_a_share_ends_just_above_one_and_shows_all_else():
    data = frame(rows(methods=["a"]))
    data["accuracy"] = 1 - 2 * (data["repeat"] == 0) * data["noise_id"].map(IDS.index) / 100  # bars pass 100 %
    data["n_leaves"] = data["accuracy"]
    bottom, top = figures.draw(data, SPEC).axes[0].get_ylim()
    low, high = figures.draw(data, {**SPEC, "metric": "n_leaves"}).axes[0].get_ylim()
    assert bottom == pytest.approx(100 * low) and 100 < top < 101 and high > 1.02


def test_failed_cells_are_gaps_and_methods_that_always_failed_are_left_out(tmp_path):
    data = frame(rows())
    lost = data["noise_id"].isin(["uniform-0.1", "cc"]) | (data["method"] == "b")
    data.loc[lost, ["accuracy", "status"]] = [np.nan, FAILED]
    figure = figures.draw(data, SPEC)
    (line,) = lines(figure.axes[0])
    assert np.isnan(line.get_ydata()).tolist() == [False, True, False]
    assert len(figure.axes[0].containers[0][0].get_xdata()) == 1
    assert figure.get_label() == "Bars are 2 standard deviations. 21 of 30 fits failed and are left out."
    figures.save(figure, tmp_path / "a")


ANE = [("clean", "clean", "0"), *((f"uniform-{rate}", "uniform", str(rate)) for rate in (0.1, 0.2, 0.3, 0.4))]
ANE += [("cc-1", "class_conditional", "0.1/0.3"), ("cc-2", "class_conditional", "0.2/0.4")]
SPACE = 2  # pixels at 100 dots per inch
METHODS = ["ANE", "CL", "Twoing", "Credal", "GCE", "MSE", "CE", "Ranking"]


def ane_rows(datasets, noises):
    keys = [(dataset, method, *noise) for dataset in datasets for method in METHODS for noise in noises]
    fixed = {"task": "binary", "status": "ok", "repeat": 0, "accuracy": 0.9}
    return frame(fixed | {"dataset": d, "method": m, "noise_id": i, "noise": n, "rate": r} for d, m, i, n, r in keys)


def corners(label):
    """The rectangle of a tick label and a little space as a closed path, rotated as the label is."""
    angle = label.get_rotation()
    label.set_rotation(0)
    box = label.get_window_extent()
    box = Bbox.from_extents(box.x0, box.y0, box.x1 + SPACE, box.y1)
    label.set_rotation(angle)
    anchor = label.get_transform().transform(label.get_position())
    turn = Affine2D().rotate_deg_around(*anchor, angle)
    return Path(
        turn.transform([(box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1), (box.x0, box.y0)])
    )


@pytest.mark.parametrize("noises", [ANE, ANE[:5], [*ANE[:5], ("mahalanobis", "mahalanobis", "")]])
def test_tick_labels_do_not_touch_with_the_rates_of_the_ane_paper(noises):
    labels = {"cc-1": "CC 0.1/0.3", "cc-2": "CC 0.2/0.4", "mahalanobis": "Mahalanobis"}
    spec = {"kind": "noise-curves", "noises": [noise for noise, *_ in noises]}
    figure = figures.draw(ane_rows([f"d{i}" for i in range(5)], noises), spec, noise_labels=labels)
    for axis in figure.axes:
        shown = [label for label in axis.get_xticklabels() if label.get_visible() and label.get_text()]
        assert {"0", "0.2", "0.4"} <= {label.get_text() for label in shown}
        assert {labels[noise] for noise, *_ in noises if noise in labels} <= {label.get_text() for label in shown}
        for one, other in itertools.combinations(map(corners, shown), 2):
            assert not one.intersects_path(other)
