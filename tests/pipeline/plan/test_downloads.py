from types import SimpleNamespace

from ironbark.pipeline.plan import dataset_specs

FILES = {f"f{i}": {"title": "T", "source": "libsvm", "files": [f"binary/{i}"]} for i in range(3)}
OPENML = {f"o{i}": {"title": "T", "source": "openml", "openml_id": 61} for i in range(2)}


def test_servers_are_busy_where_more_jobs_could_use_them_than_they_may(tmp_path):
    plan, mirrored = (
        SimpleNamespace(settings={"mirror": m}, config={"datasets": FILES | OPENML}) for m in (None, tmp_path)
    )
    assert dataset_specs.servers(plan, "f0") == ["www.csie.ntu.edu.tw"] and dataset_specs.servers(mirrored, "f0") == []
    assert dataset_specs.busy_servers(plan, 2) == ["www.csie.ntu.edu.tw"]
    assert dataset_specs.busy_servers(plan, 1) == ["www.csie.ntu.edu.tw", "www.openml.org"]
    assert dataset_specs.busy_servers(mirrored, 0) == []
