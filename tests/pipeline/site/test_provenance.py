import hashlib
import json

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
