"""A Slurm cluster on one machine, in a folder of its own: no systemd, no cgroups, no accounting, nothing below /etc.

Needs root and Debian's packages slurmctld, slurmd, slurm-client and munge. Two nodes share the machine, so one can be
drained. A job over its memory is killed, as accounting by /proc watches it every second.

    python tests/slurm/cluster.py up FOLDER && export PATH=FOLDER/bin:$PATH
    python tests/slurm/cluster.py down FOLDER
"""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil

DAEMONS = ("munged", "slurmctld", "slurmd")
CLIENTS = ("sbatch", "srun", "squeue", "scancel", "sinfo", "scontrol", "sacct", "sacctmgr", "sshare")
NODES = ("ironbark1", "ironbark2")
MARK = "IRONBARK_TEST_CLUSTER"  # environment variable by which our own processes are known again

CONFIGURATION = """\
ClusterName=ironbark
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.own.pid
SlurmdPidFile={folder}/slurmd-%n.own.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/log/jobs.log
ReturnToService=2
SlurmdTimeout=30
MpiDefault=none
SwitchType=switch/none
MinJobAge=600
KillWait=2
OverTimeLimit=0
{nodes}
PartitionName=short Nodes=ALL Default=YES MaxTime=02:00:00 State=UP DefMemPerCPU=500
PartitionName=long Nodes=ALL MaxTime=UNLIMITED State=UP DefMemPerCPU=500
"""


def missing():
    """Why no cluster can be started here, in a few words; empty if one can."""
    absent = [name for name in (*DAEMONS, *CLIENTS[:6]) if _program(name) is None]
    if absent:
        return f"Slurm is not installed: {', '.join(absent)} missing"
    return "" if os.geteuid() == 0 else "a test cluster needs root"


class Cluster:
    """Daemons, their configuration and the commands that speak to them, in a folder that `stop` removes."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()

    @property
    def path(self):
        """Value of PATH with which jobs are sent to this cluster."""
        return f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"

    def start(self):
        """Write the configuration, start all daemons and wait until the nodes are idle."""
        for name in ("state", "log", "bin"):
            (self.folder / name).mkdir(parents=True)
        os.chmod(self.folder, 0o755)  # munged trusts no folder that others may write to
        self._configure()
        self._start_munged()
        self.start_controller()
        for node in NODES:
            self.start_node(node)
        idle = ["idle"] * len(NODES)
        self._wait("nodes are not idle", lambda: self.ask("sinfo", "-hNp", "short", "-o", "%T").split() == idle)

    def stop(self):
        """Cancel all jobs, end all daemons and remove the folder."""
        subprocess.run([self.folder / "bin/scancel", "--user=root"], capture_output=True, timeout=60, check=False)
        for process in reversed(self.processes()):  # nodes, then the controller, then munged
            process.terminate()
        for process in psutil.wait_procs(self.processes(), timeout=10)[1]:  # what is left, jobs included
            for one in [*process.children(recursive=True), process]:
                if one.is_running():
                    one.kill()
        shutil.rmtree(self.folder)

    def processes(self):
        """Living processes that the daemons of this cluster are or have started, the oldest first; jobs are below."""
        return [process for process in psutil.process_iter() if _mark(process) == str(self.folder)]

    def kill(self, name):
        """SIGKILL to one daemon: slurmctld, or slurmd of all nodes. What slurmd has started lives on."""
        found = [process for process in self.processes() if process.name() == name]
        assert found, f"{name} is not running"
        for process in found:
            process.kill()
        assert not psutil.wait_procs(found, timeout=10)[1], f"{name} lives on"

    def start_controller(self):
        """Start slurmctld with the state of the folder, and wait until it answers."""
        self._spawn("slurmctld", "-D", "-f", self.folder / "slurm.conf")
        self._wait("slurmctld does not answer", lambda: "is UP" in self.ask("scontrol", "ping"))

    def start_node(self, node):
        """Start slurmd of one node."""
        self._spawn("slurmd", "-D", "-f", self.folder / "slurm.conf", "-N", node, log=f"slurmd-{node}")

    def wait_for_no_jobs(self):
        """Wait until no job waits, runs or ends."""
        self._wait("jobs are left", lambda: not self.jobs("running", "pending", "completing"), 600)

    def ask(self, *command):
        """Output of a client command; empty if it fails, as while the controller is away."""
        program = self.folder / "bin" / command[0]
        done = subprocess.run([program, *command[1:]], capture_output=True, text=True, timeout=60, check=False)
        return done.stdout if done.returncode == 0 else ""

    def jobs(self, *states):
        """Ids of the jobs in these states (such as running), in order; of all states if none is named."""
        chosen = ["-t", ",".join(states) or "all"]
        return sorted(map(int, self.ask("squeue", "-h", "-o", "%A", *chosen).split()))

    def _configure(self):
        memory = psutil.virtual_memory().total * 9 // 10 // 2**20 // len(NODES)
        host = socket.gethostname().partition(".")[0]
        about = f"NodeHostname={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory={memory} State=UNKNOWN"
        nodes = "\n".join(f"NodeName={name} Port={_free_port()} {about}" for name in NODES)
        text = CONFIGURATION.format(host=host, folder=self.folder, nodes=nodes, controller_port=_free_port())
        (self.folder / "slurm.conf").write_text(text, encoding="utf-8")
        for name in CLIENTS:
            if _program(name):
                script = f'#!/bin/sh\nSLURM_CONF="{self.folder}/slurm.conf" exec {_program(name)} "$@"\n'
                (self.folder / "bin" / name).write_text(script, encoding="utf-8")
                os.chmod(self.folder / "bin" / name, 0o755)

    def _start_munged(self):
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(1024))
        os.chmod(key, 0o400)
        places = {"key-file": key, "socket": self.folder / "munge.socket", "pid-file": self.folder / "munged.pid"}
        places |= {"seed-file": self.folder / "munge.seed", "log-file": self.folder / "log/munged.log"}
        options = [f"--{name}={place}" for name, place in places.items()]
        self._spawn("munged", "--foreground", "--force", *options)
        self._wait("munged does not answer", (self.folder / "munge.socket").exists)

    def _spawn(self, name, *arguments, log=None):
        environment = {**os.environ, MARK: str(self.folder), "SLURM_CONF": str(self.folder / "slurm.conf")}
        with open(self.folder / "log" / f"{log or name}.log", "ab") as stream:
            command = [_program(name), *map(str, arguments)]
            subprocess.Popen(command, env=environment, stdout=stream, stderr=stream, start_new_session=True)

    def _wait(self, complaint, ready, seconds=60):
        deadline = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > deadline:
                logs = "\n".join(path.read_text("utf-8", "replace")[-2000:] for path in (self.folder / "log").iterdir())
                raise RuntimeError(f"{complaint} after {seconds} s\n{logs}")
            time.sleep(0.2)


def _program(name):
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/usr/bin")


def _mark(process):
    try:
        return process.environ().get(MARK) if process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.Error:
        return None


def _free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


if __name__ == "__main__":
    verb, place = sys.argv[1:]
    if missing():
        sys.exit(missing())
    {"up": Cluster(place).start, "down": Cluster(place).stop}[verb]()
