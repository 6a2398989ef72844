"""Starts an MPI job over the hosts of a lab, as mpirun would over ssh."""

import os
from pathlib import Path

from lab.errors import LabError
from lab.state import Lab

FOLDER = Path(__file__).resolve().parent
FAMILIES = ("openmpi", "mpich")
IDLE = ("yield", "spin")  # what ranks do that wait


def read_env(file: Path) -> dict[str, str]:
    lines = [line.strip() for line in file.read_text().splitlines()]
    pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return {key: value for key, _, value in pairs}


def environment(
    lab: Lab, family: str, base: dict[str, str] | None = None, idle: str = "yield"
) -> dict[str, str]:
    """`base` (by default the caller's) with the lab's settings for `family`. What the caller has
    set wins, so that a test may try another setting."""
    base = dict(os.environ if base is None else base)
    env = read_env(FOLDER / "env" / f"{family}.env") | base
    env["TIGHTWIRE_LAB"] = lab.name
    if family == "mpich":
        ours = ["ucx_close", "idle_yield"] if idle == "yield" else ["ucx_close"]
        preload = [str(preloaded(name)) for name in ours] + [base.get("LD_PRELOAD", "")]
        env["LD_PRELOAD"] = ":".join(filter(None, preload))
    elif idle == "spin":
        env["OMPI_MCA_mpi_yield_when_idle"] = "0"
    return env


def preloaded(name: str) -> Path:
    """The library of lab/NAME.c, of those without which MPICH's jobs over TCP hang in MPI_Finalize
    or hold up each other."""
    build = Path(os.environ.get("TIGHTWIRE_BUILD", FOLDER.parent / "build"))
    library = build / "lib" / f"{name}.so"
    if not library.exists():
        raise LabError(f"{library} is missing; make it with: ./run build")
    return library


def enter(lab: Lab, host: str, *command: str) -> list[str]:
    """Command line that runs `command` on a host."""
    if host not in lab.host_names:
        raise LabError(f"no host '{host}': lab '{lab.name}' has host0 to host{lab.hosts - 1}")
    return [str(FOLDER / "enter"), lab.name, host, *command]


def mpirun(lab: Lab, family: str, ranks: int, command: list[str], ranks_per_host: int = 0):
    """Command line, to be run with environment(), that starts `ranks` ranks of `command`; host0
    is filled first. ranks_per_host 0: as few as fit."""
    per_host = ranks_per_host or -(-ranks // lab.hosts)
    if not 1 <= ranks <= per_host * lab.hosts:
        room = per_host * lab.hosts
        raise LabError(f"-n {ranks}: {lab.hosts} hosts of {per_host} ranks hold 1 to {room} ranks")
    slots = ",".join(f"{host}:{per_host}" for host in lab.host_names)
    agent = str(FOLDER / "agent")
    if family == "openmpi":
        start = ["mpirun.openmpi", "--mca", "plm_rsh_agent", agent, "--host", slots]
    else:
        start = ["mpirun.mpich", "-launcher", "ssh", "-launcher-exec", agent, "-iface", "eth0"]
        start += ["-hosts", slots]
    return enter(lab, "host0", *start, "-n", str(ranks), *command)
