"""A reader asks by links and lists: which method is best on a data set at 40 % noise, is the difference significant?"""

import numpy as np
import pytest
from scipy import stats
from site_cases import fill, rows, spec, study

READY = "document.body.dataset.ready === 'yes'"
NOISE, BEST, REPEATS = "uniform-0.4", "dt-a", 5


def expected_of(frame):
    """Method -> p-value of the paired t-test against the best, and the same by Holm's rule, by SciPy alone."""
    setting = frame[(frame["dataset"] == "ducks") & (frame["noise_id"] == NOISE)]
    wide = setting.pivot(index="repeat", columns="method", values="accuracy")
    assert wide.mean().idxmax() == BEST
    others = [name for name in wide if name != BEST]
    p = np.array([stats.ttest_rel(wide[BEST], wide[name]).pvalue for name in others])
    order, adjusted, least = np.argsort(p), p.copy(), 0.0
    for place, i in enumerate(order):
        least = max(least, min(1.0, (len(p) - place) * p[i]))
        adjusted[i] = least
    return {name: (p[i], adjusted[i]) for i, name in enumerate(others)}


def shown_p(text):
    return float(text.removeprefix("< "))


def lines(tab, box):
    return tab.run(
        f"Array.from(document.querySelectorAll('{box} tbody tr'), r => Array.from(r.cells, c => c.innerText))"
    )


def test_one_click_from_the_first_page(tab, make, tmp_path):
    frame = rows(seed=3, repeats=REPEATS)
    expected = expected_of(frame)
    tab.open(f"file://{make(spec(study(repeats=REPEATS)), fill(tmp_path / 'results', frame))}/index.html")
    tab.wait(READY)
    loads = tab.loads
    tab.run("Array.from(document.querySelectorAll('#table-data-sets a')).find(a => a.textContent === 'ducks').click()")
    tab.wait(lambda: tab.loads > loads)
    tab.wait(READY)
    answers = {line[0]: line for line in lines(tab, "#table-pond-full-binary-test-accuracy-percent")}
    _, best, mean, second, _, p, significant, beaten, _, runs = answers["uniform 40 %"]
    labels = {"Tree B": "dt-b", "Forest C": "rf-c"}
    assert (best, runs) == ("Tree A", "5") and mean.startswith("8")
    assert shown_p(p) == pytest.approx(max(expected[labels[second]][1], 0.001), abs=5e-4)
    assert significant == ("yes" if expected[labels[second]][1] < 0.05 else "no")
    assert beaten == f"{sum(p < 0.05 for _, p in expected.values())} of 2"
    tab.choose("#choose-noise", "uniform 40 %")
    found = {line[0]: line for line in lines(tab, "#table-all-methods")}
    assert list(found)[0] == "Tree A" and found["Tree A"][5] == "–"
    for label, name in labels.items():
        p, p_holm = (shown_p(text) for text in found[label][5:7])
        assert (p, p_holm) == pytest.approx([max(value, 0.001) for value in expected[name]], abs=5e-4)
