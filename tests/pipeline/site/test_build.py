"""The pages as files and in a real browser without network: what they say, and where links lead."""

import json
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from browser import READY
from site_cases import DATASETS, METHODS, fill, rows, spec, study

from ironbark.files import sha256
from ironbark.pipeline.jobs import score
from ironbark.pipeline.results import store
from ironbark.pipeline.results.records import FAILED


def text_of(page):
    return re.sub(r"<[^>]+>", " ", page.read_text(encoding="utf-8"))


def check_links(site):
    """Every link and source leads to a file of the site, and to an id in it."""
    texts = {page: page.read_text(encoding="utf-8") for page in site.rglob("*.html")}
    ids = {page: re.findall(r' id="(.*?)"', text) for page, text in texts.items()}
    assert len(texts) > 2
    for page, text in texts.items():
        assert len(set(ids[page])) == len(ids[page]), page
        for address in set(re.findall(r' (?:href|src)="(.*?)"', text)) - {"data:,"}:
            parts = urlsplit(address)
            assert not parts.netloc and not parts.scheme, f"{page} leaves the site: {address}"
            target = Path(page.parent, unquote(parts.path)).resolve() if parts.path else page
            assert target.is_file(), f"{page}: {address} leads nowhere"
            assert not parts.fragment or parts.fragment in ids[target], f"{page}: {address} has no target"


def test_what_the_pages_say(pond):
    check_links(pond)
    overview = text_of(pond / "index.html")
    assert "36 fits of 1 study" in overview and "The pond" in overview and "missing;" not in overview
    dataset = " ".join(text_of(pond / "dataset/ducks.html").split())
    assert "120 samples, 3 features, 2 classes" in dataset and "uniform 40 % Tree A" in dataset
    assert dataset.index("Best method at each noise") < dataset.index("Two ducks are missing.")
    method = text_of(pond / "method/dt-a.html")
    assert "Somebody (1999)." in method and "a + b &lt; c" in method
    sheet = json.loads((pond / "provenance.json").read_text(encoding="utf-8"))
    line = sheet["studies"][0]
    assert sheet["datasets"]["ducks"]["digest"] == "ab" * 32 and sheet["packages"]["numpy"]
    assert line["rows"] == 36 and line["seeds"] == 2 and line["versions_of_fits"] == [{"numpy": "2.0"}]
    assert line["files"] == {"rows.parquet": sha256(pond.parent / "results/pond/full/rows.parquet")}
    page = (pond / "study/pond-full.html").read_text(encoding="utf-8")
    assert '<a href="#table-accuracy">Accuracy</a>' in page and "Not made yet" not in page
    for name in ("tables/accuracy.csv", "tables/accuracy.tex", "figures/curves.png", "figures/curves.pdf"):
        assert (pond / "files/pond/full" / name).is_file() and f"files/pond/full/{name}" in page


def data_of(page, title):
    """Rows of a table of the library, as its script gets them."""
    found = re.search(rf'data-title="{re.escape(title)}">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)
    return json.loads(json.loads(found[1])["data_json"])


def test_numbers_of_the_pages_are_those_of_the_rows(pond):
    wide = rows()
    wide = wide[(wide["dataset"] == "ducks") & (wide["noise_id"] == "uniform-0.4")]
    means = 100 * wide.groupby("method")["accuracy"].mean()
    found = data_of(pond / "dataset/ducks.html", "pond (full), binary: Test accuracy (percent)")
    lines = {line[0]: line for line in found}
    assert list(lines) == ["clean", "uniform 20 %", "uniform 40 %"]
    assert "Tree A" in lines["uniform 40 %"][1] and lines["uniform 40 %"][2] == pytest.approx(means["dt-a"])
    found = data_of(pond / "dataset/ducks.html", "All methods")
    found = [line for line in found if line[1:3] == ["Test accuracy (percent)", "uniform 40 %"]]
    assert [re.sub("<.*?>", "", line[3]) for line in found] == ["Tree A", "Tree B", "Forest C"]
    assert [line[4] for line in found] == pytest.approx(means[["dt-a", "dt-b", "rf-c"]].tolist())
    board = data_of(pond / "leaderboard/pond-full-classification.html", "Leaderboard")
    board = [line for line in board if line[2] == "all noises"]
    assert [line[3] for line in board] == [1, 2, 3] and "Tree A" in board[0][4]
    assert board[0][6] == pytest.approx(100 * rows().groupby("method")["accuracy"].mean()["dt-a"])


ONE_NOISE = [[name, "binary", ["uniform-0.2"], list(METHODS)] for name in DATASETS]


def test_every_track_has_its_leaderboard(pond, make, tmp_path):
    [line] = data_of(pond / "index.html", "Leaderboards")
    assert "leaderboard/pond-full-classification.html" in line[0] and "Tree A" in line[4]
    frame = rows().assign(detection=0.5)
    site = make(spec(study(noises=["uniform-0.2"], blocks=ONE_NOISE)), fill(tmp_path / "results", frame))
    assert len(data_of(site / "index.html", "Leaderboards")) == 2, "also where all noises are a single one"
    assert (site / "leaderboard/pond-full-detection.html").is_file()
    check_links(site)


def test_failed_and_missing_fits_are_counted_and_explained(make, tmp_path):
    assert "There are no results yet." in text_of(make(spec()) / "index.html")
    frame = rows().drop(index=[0, 1]).reset_index(drop=True)
    lost = [FAILED, "ValueError: <bad>", float("nan")]
    frame.loc[frame["method"] == "dt-b", ["status", "message", "accuracy"]] = lost
    site = make(spec(study()), fill(tmp_path / "results", frame))
    page = " ".join(text_of(site / "study/pond-full.html").split())
    assert "22 of 36 fits done, 12 failed , 2 missing" in page and "ValueError: &lt;bad&gt;" in page
    assert "12 failed, 2 still missing" in " ".join(text_of(site / "index.html").split())


def test_a_study_without_any_row_has_its_page(make, tmp_path):
    (tmp_path / "results/pond/full").mkdir(parents=True)
    site = make(spec(study(), problems=["old (full) is left out."]))
    page = text_of(site / "study/pond-full.html")
    assert "No fit of this study has finished" in page and "Not made yet" in page
    assert "old (full) is left out." in text_of(site / "index.html")
    check_links(site)


def test_fits_of_an_earlier_plan_do_not_count_and_other_settings_are_told(make, tmp_path):
    folder = tmp_path / "results/pond/full"
    header = {"study": "pond", "scale": "full", "protocol": "fixed-split", "versions": {}}
    for place, digest in {"ducks": "now", "geese": "before"}.items():
        noises = {"clean": {f"{place} binary": {"noise": "clean", "rate": "0"}}}
        one = {"dataset": place, "task": "binary", "noise_id": "clean", "method": "dt-a", "repeat": 0, "fold": 0}
        one |= {"key": digest, "record": {"status": FAILED, "message": "no", "n_train": 9}}
        store.write_batch(folder / f"fits/{place}.jsonl.gz", header | {"noises": noises, "spec": digest}, [one])
    whole, scored = ({"status": "ok"} | more for more in ({"outputs": {"errors": ""}}, {"scores": {"f1": 1.0}}))
    assert score.possible([whole, scored]) == ["f1"] and len(score.possible([whole])) > 1
    told = spec(study(batches={"ducks": "now", "geese": "now"}))
    told["studies"][0]["entries"]["dt-a"] = {"estimator": "ironbark.X", "params": {"depth": 7}}
    site = make(told)
    assert "0 of 36 fits done, 1 failed , 35 missing" in " ".join(text_of(site / "study/pond-full.html").split())
    assert "pond (full): fits of an earlier plan are left out (1 of 2 batches)" in text_of(site / "index.html")
    assert "&#34;depth&#34;: 7" in text_of(site / "method/dt-a.html")
    assert "with other settings" not in text_of(site / "method/dt-b.html")


def test_files_of_older_versions_and_damaged_ones_are_named(make, tmp_path):
    folder = fill(tmp_path / "results") / "pond/full"
    rows().drop(columns="n_leaves").to_parquet(folder / "rows.parquet")
    (folder / "comparison.csv").write_text("table,dataset\n1,ducks\n")
    site = make(spec(study(compare=True)))
    page = " ".join(text_of(site / "study/pond-full.html").split())
    for fault in ("it lacks n_leaves", "comparison.csv was written by an older"):
        assert fault in page
    assert data_of(site / "index.html", "Studies")[0][-1] == 2
    (site / "stale.html").write_text("old")
    make(spec(study()))
    assert not (site / "stale.html").exists() and (site / "index.html").exists(), "the site is replaced as a whole"


def test_printed_numbers_stand_beside_ours(make, tmp_path):
    results = fill(tmp_path / "results")
    heads = "table,dataset,task,method,noise,rate,published_mean,published_spread,mean,spread,n,difference,verdict"
    lines = [
        "2,ducks,binary,dt-a,clean,0,90.0,1.0,90.2,1.1,2,0.2,not rejected,0.9,True,,accuracy,0.03,True,True,2.5",
        "2,ducks,binary,dt-a,uniform,0.2,80.0,1.0,70.1,1.1,2,-9.9,differs,0.001,False,,accuracy,1.0,False,False,2.5",
        "2,geese,binary,dt-a,clean,0,88.0,1.0,,,0,,not comparable,,,not run,accuracy,,,,",
    ]
    heads += ",p_holm,within_margin,reason,metric,p_equivalent,equivalent,within_two_sd,needed_to_reject"
    text = "\n".join([heads, *lines]) + "\n"
    (results / "pond/full/comparison.csv").write_text(text)
    site = make(spec(study(compare=True)), results)
    first, second, third = data_of(site / "study/pond-full.html", "Compared cells")
    assert second[:10] == ["differs", "2", "Ducks", "Tree A", "uniform 0.2", 80.0, 1.0, 70.1, 1.1, 2]
    assert second[10:13] == [-9.9, 0.001, "no"] and first[0] == "not rejected" and third[-1] == "not run"
    verdicts = data_of(site / "index.html", "Studies")[0][7]
    assert verdicts == "✓ 1  ≠ 1  ◦ 1"
    check_links(site)


PAGES = ["index.html", "study/pond-full.html", "dataset/ducks.html", "method/dt-a.html", "provenance.html"]
PAGES += ["leaderboard/pond-full-classification.html"]
MARKS = "document.querySelectorAll('.chart [aria-roledescription=\"point\"]')"
POINTS = f"{MARKS}.length"
FIELD = ".vega-bind input[name='%s'], .vega-bind select[name='%s']"


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_accessibility(tab, pond, page, dark):
    tab.look(width=390, height=800, dark=dark)
    tab.open(pond / page)
    assert tab.run("document.documentElement.scrollWidth") <= 390, "a phone scrolls in one direction"
    assert tab.violations() == []


def lines(tab, box="table.dataTable"):
    found = f"document.querySelectorAll('{box} tbody tr')"
    return tab.run(f"Array.from({found}, line => Array.from(line.cells, cell => cell.innerText))")


def test_lists_filter_the_leaderboard_and_its_chart(tab, pond):
    tab.open(pond / "leaderboard/pond-full-classification.html")
    first = lines(tab)
    heights = f"Array.from({MARKS}, m => m.ariaLabel).join()"
    before = tab.run(heights)
    tab.choose("#choose-noise", "uniform 40 %")
    tab.wait(f"{heights} !== {before!r}")
    assert len(lines(tab)) == 3 and lines(tab) != first
    mean = 100 * rows().query("noise_id == 'uniform-0.4' and method == 'dt-a'")["accuracy"].mean()
    assert float(lines(tab)[0][3]) == pytest.approx(mean, abs=0.006)
    tab.choose("#choose-noise", "all noises")
    tab.wait(f"{heights} === {before!r}")
    assert lines(tab) == first


def test_choices_change_the_curves(tab, pond):
    points = {"index.html": 3, "leaderboard/pond-full-classification.html": 3, "study/pond-full.html": 9}
    for page, expected in points.items():
        tab.open(pond / page)
        assert tab.run(POINTS) == expected
    scripts = {request for request in tab.requests if "/assets/vega" in request}
    assert scripts == {f"file://{path}" for path in pond.glob("assets/vega-*.js")}, "one bundle for all pages"
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
        tab.open(pond / page)
        found = tab.run("Array.from(document.querySelectorAll('a[href]'), a => decodeURI(a.href.split('#')[0]))")
        assert [link for link in found if not Path(link.removeprefix("file://")).is_file()] == []


def test_best_method_at_a_noise_and_its_lead_one_click_from_the_first_page(tab, pond):
    tab.open(pond / "index.html")
    loads = tab.loads
    tab.run("Array.from(document.querySelectorAll('#table-data-sets a')).find(a => a.textContent === 'ducks').click()")
    tab.wait(lambda: tab.loads > loads)
    tab.wait(READY)
    answers = {line[0]: line for line in lines(tab, "#table-pond-full-binary-test-accuracy-percent")}
    assert answers["uniform 40 %"][1] == "Tree A" and answers["uniform 40 %"][9] == "2"
    tab.choose("#choose-noise", "uniform 40 %")
    assert lines(tab, "#table-all-methods")[0][0] == "Tree A"
