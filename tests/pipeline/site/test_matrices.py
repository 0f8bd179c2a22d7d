import numpy as np
from site_cases import NOISES, fill

from ironbark.pipeline.site.pages import matrices


def test_the_first_study_that_has_a_matrix_counts(tmp_path):
    fill(tmp_path)
    other = tmp_path / "other/labels/ducks"
    other.mkdir(parents=True)
    one = {"transition": np.eye(2)[None], "flips": np.eye(2)[None]}
    noises = "uniform-0.2", "clean", "gone"
    np.savez(other / "binary.npz", **{f"{noise}/{name}": array for noise in noises for name, array in one.items()})
    found, problems = matrices([tmp_path / "pond/full", tmp_path / "other"], "ducks", NOISES)
    assert list(found) == [("binary", "clean"), ("binary", "uniform-0.2")] and problems == []
    assert found["binary", "uniform-0.2"] == {"matrix": [[0.8, 0.2], [0.2, 0.8]], "flipped": 0.19999999999999996}


def test_a_damaged_file_is_named(tmp_path):
    path = fill(tmp_path) / "pond/full/labels/ducks/binary.npz"
    path.write_bytes(b"PK no")
    found, problems = matrices([tmp_path / "pond/full"], "ducks", NOISES)
    assert found == {} and str(path) in problems[0]
