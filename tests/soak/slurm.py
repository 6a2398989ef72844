#!/usr/bin/env python3
"""soak slurm: srun lines of docs/user/install.md under a Slurm of this machine alone

Needs root and Debian's slurmctld, slurmd, slurm-client and munge, whose own daemons are left
alone: these here have a folder, a socket and ports of their own, on the loopback interface.
"""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BUILD = Path(__file__).resolve().parents[2] / "build"
TOOLS = ("munged", "slurmctld", "slurmd", "srun")
# How srun speaks to each MPI; another way leaves every rank alone, or none begins.
CASES = {"openmpi": "pmix", "mpich": "pmi2"}
COMPRESSED = re.compile(r"^Allreduce +exact", re.MULTILINE)
CONFIGURATION = """\
ClusterName=soak
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SwitchType=switch/none
ReturnToService=2
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmdSpoolDir={folder}/spool
StateSaveLocation={folder}/state
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES OverSubscribe=FORCE:4 State=UP
"""


def run(*words: str | Path, limit: float = 60, **variables: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        words,
        env=os.environ | variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=limit,
    )


def must(done: subprocess.CompletedProcess) -> str:
    if done.returncode:
        sys.exit(f"soak slurm: {done.args[0]} failed\n{done.stdout}{done.stderr}")
    return done.stdout


def free_ports() -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(2)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def start(folder: Path) -> Path:
    """The file of the configuration."""
    host = socket.gethostname().partition(".")[0]
    for name in ("spool", "state"):
        (folder / name).mkdir()
    (folder / "munge.key").write_bytes(os.urandom(1024))
    (folder / "munge.key").chmod(0o400)
    configuration = folder / "slurm.conf"
    configuration.write_text(
        CONFIGURATION.format(host=host, folder=folder, ports=free_ports(), cores=os.cpu_count())
    )
    own = [
        f"--{word}={folder}/munge.{end}" for word, end in (("key-file", "key"), ("socket", "sock"))
    ]
    own += [f"--{word}-file={folder}/munged.{word}" for word in ("pid", "log", "seed")]
    must(run("munged", "--force", *own))
    must(run("slurmctld", "-c", "-f", configuration))
    must(run("slurmd", "-f", configuration, "-N", host))
    for _ in range(100):
        if "idle" in run("sinfo", "-h", "-o", "%T", SLURM_CONF=str(configuration)).stdout:
            return configuration
        time.sleep(0.2)
    sys.exit(f"soak slurm: no node is ready\n{(folder / 'slurmctld.log').read_text()}")


def stop(folder: Path) -> None:
    for name in ("slurmd", "slurmctld", "munged"):
        with contextlib.suppress(OSError, ValueError):
            process = int((folder / f"{name}.pid").read_text())
            os.kill(process, 15)
            for _ in range(100):  # it writes its state at the end
                os.kill(process, 0)
                time.sleep(0.1)


def check(family: str, configuration: Path) -> None:
    program = BUILD / "tests" / "mpi" / family / "in_c"
    srun = ["srun", f"--mpi={CASES[family]}", "-n", "2", "--overcommit"]
    variables = {"SLURM_CONF": str(configuration), "OMPI_MCA_mpi_yield_when_idle": "1"}
    plain = must(run(*srun, program, **variables))
    done = run(
        *srun,
        BUILD / "bin" / "tightwire",
        "--same-host",
        "compress",
        "--verbose",
        program,
        **variables,
    )
    packed = must(done)
    if "2 ranks" not in done.stderr or not COMPRESSED.search(done.stderr):
        sys.exit(f"soak slurm: {family}: nothing is compressed\n{done.stderr}")
    same = [line for line in plain.splitlines() if line.startswith("bytes ")]
    if not same or same != [line for line in packed.splitlines() if line.startswith("bytes ")]:
        sys.exit(f"soak slurm: {family}: other bytes arrive\n{plain}\n{packed}")
    print(f"srun --mpi={CASES[family]}, {family}: right and compressed")


def main() -> None:
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing or os.geteuid() != 0:
        sys.exit("soak slurm: needs root, and slurmctld slurmd slurm-client munge of Debian")
    # munged wants every folder above its socket closed to others, which /tmp is not: --force.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        try:
            configuration = start(folder)
            for family in CASES:
                check(family, configuration)
        finally:
            stop(folder)


if __name__ == "__main__":
    main()
