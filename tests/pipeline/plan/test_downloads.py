from ironbark.pipeline.plan import dataset_specs
from ironbark.pipeline.plan.dataset_specs import DatasetPlan

FILES = {f"f{i}": {"title": "T", "source": "libsvm", "files": [f"binary/{i}"]} for i in range(3)}
OPENML = {f"o{i}": {"title": "T", "source": "openml", "openml_id": 61} for i in range(2)}
OWN = {"own": {"title": "T", "source": "sklearn", "loader": "iris"}}


def plan(mirror=None):
    return DatasetPlan({"settings": {"mirror": mirror}, "datasets": FILES | OPENML | OWN})


def test_servers_of_a_data_set():
    assert dataset_specs.servers(plan(), "f0") == ["www.csie.ntu.edu.tw"]
    assert dataset_specs.servers(plan(), "o0") == ["www.openml.org"]
    assert dataset_specs.servers(plan(), "own") == []


def test_servers_are_busy_where_more_jobs_could_use_them_than_they_may():
    assert dataset_specs.busy_servers(plan(), 2) == ["www.csie.ntu.edu.tw"]
    assert dataset_specs.busy_servers(plan(), 1) == ["www.csie.ntu.edu.tw", "www.openml.org"]


def test_a_mirror_spares_the_servers(tmp_path):
    assert dataset_specs.servers(plan(tmp_path), "f0") == [] and dataset_specs.busy_servers(plan(tmp_path), 0) == []
