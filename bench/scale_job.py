"""Simulated jobs: platforms for SimGrid, and bench-scale-smpi on them."""

import csv
import dataclasses
import math
import os
import shutil
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

from lab_job import BIN, HISTORY_OFF, ROOT, environment

PRINTED = (
    "op",
    "method",
    "bytes",
    "ranks",
    "seconds",
    "sent_bytes",
    "max_error_over_bound",
    "rms_error_over_bound",
    "ranks_identical",
    "algorithm",
    "sum_bits",
)
# Exchanges by messages between two ranks: a halo of three dimensions.
OF_MESSAGES = ("halo",)
# Seconds: of a message in the sender and in the receiver, and of a hop between two switches.
OVERHEAD = 5e-7
HOP_LATENCY = 2.5e-7
LEAF = 16  # nodes of a switch
# A message of so many bytes is a rank's to itself, while which it looks at a request
# (job/waiting.cpp): it takes this part of a loopback's latency, and nothing of the rank.
MOMENT = 3
MOMENT_LATENCY = 0.5
ENVELOPE = 16  # bytes of each message in SMPI, which its latencies reckon with and overheads don't
# SMPI's ranks are copies of one library; glibc sets aside so much for their thread-local variables.
STATIC_TLS = 4096


def only_of(size: int, value: str, other: str) -> str:
    """Of messages of one size in SMPI, whose sections begin behind the size that they name."""
    return f"0:{other};{size - 1}:{value};{size}:{other}"


CONFIGURATION = {
    "smpi/simulate-computation": "no",  # codecs are charged for, everything else is free
    "smpi/host-speed": "1Gf",
    "smpi/lat-factor": only_of(MOMENT + ENVELOPE, f"{MOMENT_LATENCY}", "1"),
    "smpi/test": "1e-7",
    "smpi/iprobe": "1e-7",
    "smpi/grow-injected-times": "no",
    "smpi/wtime": "0",
    "network/crosstraffic": "no",
}


@dataclasses.dataclass(frozen=True)
class Wire:
    """What messages meet beside a link's nominal speed. Factors are of that speed, from a size in
    bytes on."""

    overhead: float = OVERHEAD
    hop_latency: float = HOP_LATENCY
    factors: tuple[tuple[int, float], ...] = ((0, 1.0),)
    # Of a rank's core for each byte that it sends or receives: over TCP that is its own work.
    carry_per_byte: float = 0.0


@dataclasses.dataclass(frozen=True)
class Job:
    topology: str  # fat_tree, dragonfly, or switch: a link from each node to one
    link_gbps: float
    nodes: int
    ranks_per_node: int = 1
    selector: str = "mpich"  # whose choice of algorithms plain MPI follows: mpich, ompi
    wire: Wire = dataclasses.field(default=Wire(), repr=False)

    @property
    def ranks(self) -> int:
        return self.nodes * self.ranks_per_node


def topology_of(job: Job) -> tuple[str, int]:
    """SimGrid's attributes, and how many nodes there are."""
    if job.topology == "dragonfly":
        # Routers of four nodes, four of them in a chassis, four chassis in a group; two links
        # between groups and between chassis.
        groups = max(2, math.ceil(job.nodes / 64))
        return f'topology="DRAGONFLY" topo_parameters="{groups},2;4,2;4,1;4"', groups * 64
    if job.topology == "switch":
        return "", job.nodes
    leaves = math.ceil(job.nodes / LEAF)
    if leaves == 1:
        return f'topology="FAT_TREE" topo_parameters="1;{LEAF};1;1"', LEAF
    # As many links up as down: full bisection.
    parameters = f"2;{LEAF},{leaves};1,{LEAF};1,1"
    return f'topology="FAT_TREE" topo_parameters="{parameters}"', leaves * LEAF


def platform_text(job: Job) -> str:
    shape, nodes = topology_of(job)
    return f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="node" suffix="" radical="0-{nodes - 1}" speed="1Gf"
           core="{job.ranks_per_node}" bw="{job.link_gbps * 125e6:.0f}Bps"
           lat="{job.wire.hop_latency}s" loopback_bw="10GBps" loopback_lat="0.2us"
           sharing_policy="SPLITDUPLEX" {shape}/>
</platform>
"""


def hosts_text(job: Job) -> str:
    return "".join(f"node{n}\n" * job.ranks_per_node for n in range(job.nodes))


def configuration(job: Job) -> dict[str, str]:
    factors = ";".join(f"{size}:{factor:.4f}" for size, factor in job.wire.factors)
    overhead = only_of(MOMENT, "0:0", f"{job.wire.overhead}:0")
    return CONFIGURATION | {
        "smpi/bw-factor": factors,
        "smpi/os": overhead,
        "smpi/ois": overhead,
        "smpi/or": overhead,
        "smpi/coll-selector": job.selector,
    }


def require_simgrid() -> None:
    """Ends this program where nothing can be simulated."""
    if shutil.which("smpirun") is None or not (BIN / "bench-scale-smpi").exists():
        sys.exit("bench: SimGrid is not here: apt-get install libsimgrid-dev, then ./run build")


def prepare(field: str, size: int, bound: float, folder: Path) -> tuple[Path, str]:
    """What bench-scale-prepare leaves, made once by each build of it, and the absolute bound."""
    folder.mkdir(parents=True, exist_ok=True)
    prefix = folder / f"{field}.{size}.{bound:g}"
    known = prefix.with_name(prefix.name + ".bound")
    program = BIN / "bench-scale-prepare"
    if not known.exists() or known.stat().st_mtime < program.stat().st_mtime:
        command = [program, field, str(size), f"{bound:g}", folder, prefix]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        known.write_text(done.stdout.strip(), encoding="utf-8")
    return prefix, known.read_text(encoding="utf-8")


def measured_speedups(field: str) -> str:
    """A file for bench-scale-smpi: how much faster threads encode and decode that field than one;
    turbulence stands for fields that were not measured, as it gains least."""
    with (ROOT / "results" / "codec_threads.csv").open(newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["codec"] == "bounded"]
    known = {row["field"] for row in rows}
    of = [row for row in rows if row["field"] == (field if field in known else "turbulence")]
    return "".join(f"{r['threads']} {r['encode_speedup']} {r['decode_speedup']}\n" for r in of)


def rows_wanted(operations: list[str], methods: list[str]) -> list[tuple[str, str]]:
    """C-Coll's way is one of collectives."""
    return [
        (op, method)
        for op, method in product(operations, methods)
        if op not in OF_MESSAGES or method != "ccoll"
    ]


def folder_for_copies(ranks: int, memory: Path, disk: Path) -> Path:
    """Each rank's copy of the program is written there and read back once: in memory, unless the
    copies take so much of it that too little remains for the ranks."""
    if not os.access(memory, os.W_OK):
        return disk
    needed = 4 * ranks * (BIN / "bench-scale-smpi").stat().st_size
    return memory if needed < shutil.disk_usage(memory).free else disk


def simulate(
    job: Job,
    arguments: list[str],
    settings: dict[str, str],
    speedups: str = "",
    limit: float = 3600,
    values: str = "shifted",
) -> list[dict[str, str]]:
    """The rows that the program prints; ends this program if it fails. `arguments` are those of
    bench-scale-smpi but for the last four, `settings` variables of Tightwire's."""
    with tempfile.TemporaryDirectory(prefix="tightwire-scale-") as scratch:
        (Path(scratch) / "platform.xml").write_text(platform_text(job), encoding="utf-8")
        (Path(scratch) / "hosts").write_text(hosts_text(job), encoding="utf-8")
        (Path(scratch) / "speedups").write_text(speedups, encoding="utf-8")
        command = [
            *("smpirun", "-platform", f"{scratch}/platform.xml", "-hostfile", f"{scratch}/hosts"),
            *("-np", str(job.ranks), "--log=root.thres:warning", "--log=smpi_pmpi.thres:error"),
            *(f"--cfg={key}:{value}" for key, value in configuration(job).items()),
            *(
                str(BIN / "bench-scale-smpi"),
                *arguments,
                f"{scratch}/speedups" if speedups else "-",
                str(job.wire.carry_per_byte),
                job.selector,
                values,
            ),
        ]
        own = {
            "GLIBC_TUNABLES": f"glibc.rtld.optional_static_tls={STATIC_TLS * (job.ranks + 64)}",
            "TMPDIR": str(folder_for_copies(job.ranks, Path("/dev/shm"), Path(scratch))),
            "TIGHTWIRE_START_LIMIT": "3600",
        }
        done = subprocess.run(
            command,
            env=environment() | HISTORY_OFF | own | settings,
            stdout=subprocess.PIPE,
            text=True,
            timeout=limit,
        )
    rows = list(csv.DictReader(done.stdout.splitlines(), PRINTED))
    # smpirun's exit code is 0 after an MPI_Abort.
    methods, operations, sizes = (words.split(",") for words in arguments[:3])
    wanted = len(rows_wanted(operations, methods)) * len(sizes)
    if done.returncode != 0 or len(rows) != wanted:
        sys.exit(
            f"bench: the simulation of {job} failed: exit code {done.returncode}, "
            f"{len(rows)} rows of {wanted}"
        )
    return rows
