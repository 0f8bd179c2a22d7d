import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.figures import points
from ironbark.pipeline.tables.trade_off import OURS, PRINTED, RANK, SAME, TABLE_4

SPEC = {"id": "f", "kind": "trade-off", "noises": ["clean", "u1"]}
COLUMNS = {"clean": "clean-0", "u1": "uniform-0.1"}


def table(shift=0.0, methods=("a", "b")):
    lines = {m: {RANK: 1.5 + i + shift, "uniform-0.1": 0.04 - 0.01 * i + shift / 10} for i, m in enumerate(methods)}
    return pd.DataFrame.from_dict(lines, orient="index")


def draw(monkeypatch, found, columns, *names):
    """The figure of given points; tests/pipeline/tables/test_trade_off.py checks how they come from rows."""
    monkeypatch.setattr(points, "sources", lambda rows, spec, *published: (found, ["d"]))
    monkeypatch.setattr(points, "ids_of", lambda rows, spec: columns)
    return figures.draw(None, *names, printed=None, tradeoff=None, mapping=None)


def places(figure, gid):
    return [tuple(float(v[0]) for v in line.get_data()) for line in figure.axes[0].lines if line.get_gid() == gid]


def test_points_and_their_printed_ones(monkeypatch):
    found = {OURS: table(), SAME: table(0.1), PRINTED: table(), TABLE_4: table(0.3)}
    figure = draw(monkeypatch, found, COLUMNS, SPEC, {"a": "A"}, {"u1": "0.1"}, {"d": "D"})
    assert places(figure, "ours") == [pytest.approx((4, 1.5)), pytest.approx((3, 2.5))]
    assert places(figure, "print") == [pytest.approx((5, 1.6)), pytest.approx((4, 2.6))]
    [axis] = figure.axes
    assert axis.yaxis_inverted()
    assert axis.get_xlabel() == "Error with noise 0.1 − error without noise (points)"
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names[:3] == ["A", "b", "ours"] and "these data sets" in names[3]
    assert "Averages over D;" in figure.get_label()


def test_table_4_where_all_data_sets_are_there(monkeypatch):
    found = {OURS: table(methods=("a", "own")), PRINTED: table(), TABLE_4: table(0.3)}
    figure = draw(monkeypatch, found, COLUMNS, SPEC)
    assert places(figure, "print") == [pytest.approx((7, 1.8))]  # a method of our own has no printed point
    assert len(places(figure, "ours")) == 2
    assert figure.legends[0].get_texts()[-1].get_text() == "published (Table 4)"


def test_one_noise_at_a_time(monkeypatch):
    found = {OURS: table().assign(**{"uniform-0.2": 0.1}), TABLE_4: table()}
    with pytest.raises(InputError, match="figure 'f' shows clean and one other noise"):
        draw(monkeypatch, found, COLUMNS | {"u2": "uniform-0.2"}, SPEC)
