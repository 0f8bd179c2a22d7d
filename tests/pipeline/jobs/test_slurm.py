import pytest

from ironbark.errors import InputError
from ironbark.pipeline.jobs import slurm


def test_slurm_without_its_commands_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="sbatch and squeue cannot be found .* leave out `--profile slurm`"):
        slurm.check("slurm")
    slurm.check("local")
