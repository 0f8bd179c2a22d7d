"""The site in a real browser without network: what a reader clicks, types and sees."""

import importlib.util
from pathlib import Path

import pytest
from scipy import stats
from site_cases import fill, rows, spec, study
from statsmodels.stats.multitest import multipletests

PAGES = ["index.html", "study/pond-full.html", "dataset/ducks.html", "method/dt-a.html", "provenance.html"]
PAGES += ["leaderboard/pond-full-classification.html"]
POINTS = "document.querySelectorAll('.chart [aria-roledescription=\"point\"]').length"
FIELD = ".vega-bind input[name='%s'], .vega-bind select[name='%s']"


def show(tab, site, page):
    tab.open(f"file://{site}/{page}")
    tab.wait("document.body.dataset.ready === 'yes'")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_accessibility(tab, pond, page, dark):
    if importlib.util.find_spec("axe_core_python") is None:
        pytest.skip("needs the package axe-core-python")
    place = Path(importlib.util.find_spec("axe_core_python").origin).parent / "axe.min.js"
    tab.look(width=390, height=800, dark=dark)
    show(tab, pond, page)
    assert tab.run("document.documentElement.scrollWidth") <= 390, "a phone scrolls in one direction"
    tab.run(place.read_text(encoding="utf-8") + ";1")
    found = tab.run(
        "axe.run({preload: false}).then(r => r.violations.map(v => [v.id, v.nodes[0].html, v.nodes[0].failureSummary]))"
    )
    assert found == []


def lines(tab, box="table.dataTable"):
    return tab.run(
        f"Array.from(document.querySelectorAll('{box} tbody tr'), r => Array.from(r.cells, c => c.innerText))"
    )


def test_lists_filter_the_leaderboard_and_its_chart(tab, pond):
    show(tab, pond, "leaderboard/pond-full-classification.html")
    first = lines(tab)
    heights = (
        "Array.from(document.querySelectorAll('.chart [aria-roledescription=\"point\"]'), m => m.ariaLabel).join()"
    )
    before = tab.run(heights)
    tab.choose("#choose-noise", "uniform 40 %")
    tab.wait(f"{heights} !== {before!r}")
    assert len(lines(tab)) == 3 and lines(tab) != first
    mean = 100 * rows().query("noise_id == 'uniform-0.4' and method == 'dt-a'")["accuracy"].mean()
    assert float(lines(tab)[0][3]) == pytest.approx(mean, abs=0.006)
    tab.choose("#choose-noise", "all noises")
    tab.wait(f"{heights} === {before!r}")
    assert lines(tab) == first


def test_a_click_on_a_heading_sorts_by_numbers_and_a_second_one_turns_the_order(tab, make, tmp_path):
    frame = rows()
    frame.loc[frame["method"] == "dt-a", "fit_seconds"] = 12.0  # as text it comes before 2
    frame.loc[frame["method"] == "dt-b", "fit_seconds"] = 2.0
    show(tab, make(spec(study()), fill(tmp_path / "results", frame)), "leaderboard/pond-full-classification.html")
    heads = "Array.from(document.querySelectorAll('table.dataTable thead th'))"
    place = tab.run(f"{heads}.findIndex(head => head.innerText.trim() === 'CPU s')")
    for order in ([1.5, 2, 12], [12, 2, 1.5]):
        tab.run(f"{heads}[{place}].click()")
        tab.wait(f"{heads}[{place}].ariaSort !== null")
        assert [float(line[place]) for line in lines(tab)] == order
    name = tab.run(f"{heads}.findIndex(head => head.innerText.trim() === 'method')")
    tab.run(f"{heads}[{name}].click()")
    assert [line[name] for line in lines(tab)] == ["Forest C", "Tree A", "Tree B"]


def test_choices_change_the_curves(tab, pond):
    points = {"index.html": 3, "leaderboard/pond-full-classification.html": 3, "study/pond-full.html": 9}
    for page, expected in points.items():
        show(tab, pond, page)
        assert tab.run(POINTS) == expected
    assert {f"file://{pond}/assets/{name}" for name in ("vega.js", "site.js", "itables.js")} == {
        request for request in tab.requests if request.endswith(".js")
    }, "one bundle for all pages"
    title = "document.querySelector('.chart .mark-text.role-title-text').textContent"
    assert tab.run(title) == "Test accuracy (percent)"
    tab.choose(FIELD % ("wanted", "wanted"), "tree a, nothing")
    tab.wait(f"{POINTS} === 3")
    tab.choose(FIELD % ("wanted", "wanted"), "")
    tab.choose(FIELD % ("best", "best"), "2")
    tab.wait(f"{POINTS} === 6")
    tab.choose(FIELD % ("measure", "measure"), "CPU time of a fit with its tuning (seconds)")
    tab.wait(f"{title}.startsWith('CPU time of a fit')")
    labels = "document.querySelector('.chart svg').textContent"
    assert tab.run(f"{labels}.includes('Tree A') && !{labels}.includes('Forest C')")
    tab.choose(FIELD % ("data", "data"), "1")
    tab.wait(f"{POINTS} === 6")


def test_links_that_scripts_draw_lead_somewhere(tab, pond):
    for page in PAGES:
        show(tab, pond, page)
        found = tab.run("Array.from(document.querySelectorAll('a[href]'), a => decodeURI(a.href.split('#')[0]))")
        assert [link for link in found if not Path(link.removeprefix("file://")).is_file()] == []


def test_best_method_at_a_noise_and_its_lead_one_click_from_the_first_page(tab, make, tmp_path):
    frame = rows(seed=3, repeats=5)
    show(tab, make(spec(study(repeats=5)), fill(tmp_path / "results", frame)), "index.html")
    loads = tab.loads
    tab.run("Array.from(document.querySelectorAll('#table-data-sets a')).find(a => a.textContent === 'ducks').click()")
    tab.wait(lambda: tab.loads > loads)
    tab.wait("document.body.dataset.ready === 'yes'")
    wide = frame[(frame["dataset"] == "ducks") & (frame["noise_id"] == "uniform-0.4")]
    wide = wide.pivot(index="repeat", columns="method", values="accuracy")
    p = [stats.ttest_rel(wide["dt-a"], wide[name]).pvalue for name in ("dt-b", "rf-c")]
    adjusted = multipletests(p, method="holm")[1]
    expected = dict(zip(("Tree B", "Forest C"), zip(p, adjusted, strict=True), strict=True))
    answers = {line[0]: line for line in lines(tab, "#table-pond-full-binary-test-accuracy-percent")}
    _, best, mean, second, _, shown, significant, beaten, _, runs = answers["uniform 40 %"]
    assert (best, runs) == ("Tree A", "5") and float(mean) == pytest.approx(100 * wide["dt-a"].mean(), abs=0.006)
    assert p_of(shown) == pytest.approx(max(expected[second][1], 0.001), abs=5e-4)
    assert significant == ("yes" if expected[second][1] < 0.05 else "no")
    assert beaten == f"{(adjusted < 0.05).sum()} of 2"
    tab.choose("#choose-noise", "uniform 40 %")
    found = {line[0]: line for line in lines(tab, "#table-all-methods")}
    assert list(found)[0] == "Tree A" and found["Tree A"][5] == "–"
    for label, values in expected.items():
        pair = [max(value, 0.001) for value in values]
        assert [p_of(text) for text in found[label][5:7]] == pytest.approx(pair, abs=5e-4)


def p_of(text):
    return float(text.removeprefix("< "))
