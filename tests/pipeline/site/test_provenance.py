import hashlib
import json
import subprocess

from site_cases import fill, study

from ironbark.pipeline.site import provenance
from ironbark.pipeline.site.numbers import rows as read


def test_a_study_is_told_by_its_file_seeds_and_versions(tmp_path):
    folder = fill(tmp_path) / "pond/full"
    sheet = provenance.sheet([(study(), read(folder))], {"ducks": None}, tmp_path)
    line = sheet["studies"][0]
    assert line["files"] == {"rows.parquet": hashlib.sha256((folder / "rows.parquet").read_bytes()).hexdigest()}
    assert line["rows"] == 36 and line["seeds"]["distinct"] == 2 and line["versions_of_fits"] == [{"numpy": "2.0"}]
    assert sheet["git"] is None and sheet["datasets"] == {} and sheet["packages"]["numpy"]
    assert json.loads(json.dumps(sheet)) == sheet


def test_commit_and_whether_files_have_changed(tmp_path):
    def git(*arguments):
        identity = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", "-C", str(tmp_path), *identity, *arguments], check=True, capture_output=True)

    git("init")
    (tmp_path / "a").write_text("1")
    git("add", "a")
    git("commit", "-m", "a")
    found = provenance.git(tmp_path)
    assert len(found["commit"]) == 40 and not found["changed"]
    (tmp_path / "a").write_text("2")
    assert provenance.git(tmp_path) == {"commit": found["commit"], "changed": True}
