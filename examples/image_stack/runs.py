"""Runs the stacking program over the hosts of the lab, in several ways, in alternation."""

import json
import os
import statistics
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from lab import mpi, network, state

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TIGHTWIRE_BUILD", ROOT / "build"))
TIME_LIMIT_S = "300"


@dataclass
class Way:
    """One way to run the program, and what came of it."""

    name: str
    prefix: list[str]
    env: dict[str, str] = field(default_factory=dict)
    bound: float = 0.0  # the largest error that the user allowed; 0: none but rounding
    seconds: list[float] = field(default_factory=list)  # per stack
    wire_bytes: list[float] = field(default_factory=list)  # per stack, sent by all hosts
    identical: bool = True
    stack: np.ndarray | None = None

    @property
    def time_s(self) -> float:
        return statistics.median(self.seconds)

    @property
    def bytes_sent(self) -> float:
        return statistics.median(self.wire_bytes)


def sent(lab: state.Lab) -> int:
    return sum(host["tx_bytes"] for host in network.counters(lab).values())


def run_once(lab: state.Lab, family: str, way: Way, exposures: Path, repeats: int) -> None:
    stack, report = exposures / "stack", exposures / "report.json"
    program = [BUILD / "bin" / f"image_stack.{family}", exposures, stack, report, repeats]
    command = mpi.mpirun(lab, family, lab.hosts, [str(word) for word in way.prefix + program])
    before = sent(lab)
    subprocess.run(
        ["timeout", "--kill-after=5", TIME_LIMIT_S, *command],
        env=mpi.environment(lab, family) | way.env,
        stdin=subprocess.DEVNULL,
        check=True,
    )
    way.wire_bytes.append((sent(lab) - before) / repeats)
    results = json.loads(report.read_text())
    way.seconds += results["seconds"]
    way.identical &= results["identical_on_all_ranks"]
    way.stack = np.fromfile(stack, dtype=np.float32)


def run_all(family: str, ways: list[Way], exposures: Path, rounds: int, repeats: int) -> None:
    lab = state.load(state.default_name())
    for number in range(rounds):
        for way in ways:
            print(f"round {number + 1} of {rounds}: {way.name}", flush=True)
            run_once(lab, family, way, exposures, repeats)
