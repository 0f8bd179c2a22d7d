from ironbark.pipeline.plan import pages
from ironbark.pipeline.plan.dataset_specs import DatasetPlan

FILES = {f"f{i}": {"title": "T", "source": "libsvm", "files": [f"binary/{i}"]} for i in range(3)}
OPENML = {f"o{i}": {"title": "T", "source": "openml", "openml_id": 61} for i in range(2)}
OWN = {"own": {"title": "T", "source": "sklearn", "loader": "iris"}}


def plan(mirror=None):
    return DatasetPlan({"settings": {"mirror": mirror}, "datasets": FILES | OPENML | OWN})


def test_servers_of_a_data_set():
    assert pages.servers(plan(), "f0") == ["www.csie.ntu.edu.tw"]
    assert pages.servers(plan(), "o0") == ["www.openml.org"]
    assert pages.servers(plan(), "own") == []


def test_servers_are_busy_where_more_jobs_could_use_them_than_they_may():
    assert pages.busy_servers(plan(), 2) == ["www.csie.ntu.edu.tw"]
    assert pages.busy_servers(plan(), 1) == ["www.csie.ntu.edu.tw", "www.openml.org"]


def test_a_mirror_spares_the_servers(tmp_path):
    assert pages.servers(plan(tmp_path), "f0") == [] and pages.busy_servers(plan(tmp_path), 0) == []
