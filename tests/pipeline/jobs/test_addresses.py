import json
import socket
from pathlib import Path
from types import SimpleNamespace

import pytest
from server import BODY, Answer, Site

from ironbark.pipeline.data import addresses as places
from ironbark.pipeline.jobs import addresses
from ironbark.pipeline.plan import dataset_specs

OUT = Path("results/datasets/addresses.md")
LIBSVM = {"title": "T", "source": "libsvm"}


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("no_proxy", "*")
    with Site() as running:
        monkeypatch.setattr(places, "OPENML", f"{running.address}/")
        yield running


def run(entries):
    """The rows of the table, by address, and the line that sums it up."""
    plan = SimpleNamespace(config={"datasets": entries})
    said = addresses.run(json.loads(dataset_specs.address_spec(plan)), OUT)
    lines = [line for line in OUT.read_text("utf-8").splitlines() if line.startswith("|")]
    heads, _, *rows = ([cell.strip("| ") for cell in line.split(" | ")] for line in lines)
    rows = [dict(zip(heads, row, strict=True)) for row in rows]
    return {row["Address"]: row for row in rows}, said


def test_each_address_is_asked_once_and_faults_are_remarks(site):
    a, about = site.put("a", BODY), site.put("api/v1/json/data/1", b"{}")
    entries = {"one": {**LIBSVM, "files": [a, [a]]}, "two": {**LIBSVM, "files": [a]}}
    entries["three"] = {"title": "T", "source": "openml", "openml_id": 1, "target": "class"}
    rows, said = run(entries)
    assert site.asked == [("GET", "a", "bytes=0-511"), ("GET", "api/v1/json/data/1", "bytes=0-511")]
    assert set(rows) == {a, about} and said == f"{OUT}: 2 addresses, 0 with a remark"
    assert (rows[a]["Status"], rows[a]["Bytes"], rows[a]["Data sets"]) == ("206", str(len(BODY)), "one, two")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        silent = f"http://127.0.0.1:{free.getsockname()[1]}/data"
    answers = {
        "gone": Answer(404),
        "page": Answer(200, b"\n<?xml version='1.0'?><html>"),
        "empty": Answer(200),
        "moved": Answer(302, headers={"Location": "/good"}),
        "good": Answer(200, b"1 2:3\n"),
    }
    urls = {name: site.put(name, b"", always=answer) for name, answer in answers.items()}
    rows, said = run({"one": {**LIBSVM, "files": [*urls.values(), silent]}})
    assert said == f"{OUT}: 6 addresses, 4 with a remark"
    assert [rows[url]["Status"] for url in urls.values()] == ["404", "200", "200", "200", "200"]
    assert [rows[url]["Remark"] for url in urls.values()] == ["Not Found", "a web page", "empty", "", ""]
    assert rows[silent]["Status"] == "" and "ConnectionError" in rows[silent]["Remark"]
