"""Runs a benchmark of collectives under Tightwire over hosts of the lab."""

import argparse
import csv
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(os.environ.get("TIGHTWIRE_BUILD", ROOT / "build")) / "bin"

# Of benchmarks that move the same values at every call, of which next to nothing would go.
HISTORY_OFF = {"TIGHTWIRE_HISTORY": "off"}
OWN_VARIABLES = ("TIGHTWIRE_BUILD", "TIGHTWIRE_ROOT")


def words(text: str) -> list[str]:
    """For options that take several."""
    return text.split(",")


def field_cache() -> Path:
    """A folder where fields are kept once they have been made."""
    cache = ROOT / "results" / "scratch" / "fields"
    cache.mkdir(parents=True, exist_ok=True)
    return cache


def parser_of(name: str, about: str) -> argparse.ArgumentParser:
    """With --results, which all take."""
    parser = argparse.ArgumentParser(
        prog=f"./run bench {name}",
        description=about,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--results", type=Path, default=ROOT / "results", help="folder to write to")
    return parser


def environment() -> dict[str, str]:
    """The caller's without settings of Tightwire: a benchmark makes its own."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("TIGHTWIRE_")}
    return kept | {name: os.environ[name] for name in OWN_VARIABLES if name in os.environ}


def write_csv(file: Path, columns: Sequence[str], rows: Iterable[dict]) -> None:
    """Replaces the file when all is written."""
    partial = file.with_name(f".{file.name}.{os.getpid()}")
    with partial.open("w", newline="") as out:
        writer = csv.DictWriter(out, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    partial.replace(file)


def measure(
    family: str,
    hosts: int,
    rate: str,
    options: list[str],
    settings: dict[str, str] | None = None,
    program: str = "bench-collectives",
    capture: bool = False,
    launcher: Sequence[str] = (),
    ranks: int | None = None,
    burst: str = "256k",
    idle: str = "yield",
) -> str:
    """One rank per host, unless `ranks` says how many in all; ends this program if it fails.
    `settings` are variables of the environment, `launcher` options of tightwire. Returns what it
    printed, if captured."""
    job = [str(BIN / "tightwire"), *launcher, str(BIN / f"{program}-{family}"), *options]
    number = [] if ranks is None else ["-n", str(ranks)]
    lab = [str(ROOT / "run"), "lab"]
    within = [*lab, "with", "--hosts", str(hosts), "--rate", rate, "--burst", burst, "--"]
    mpirun = [*lab, "exec", "--mpi", family, "--idle", idle, *number, "--timeout", "900"]
    command = [*within, *mpirun, "--", *job]
    done = subprocess.run(
        command,
        env=environment() | (settings or {}),
        cwd=ROOT,
        stdout=subprocess.PIPE if capture else None,
        text=True,
    )
    if done.returncode != 0:
        sys.exit(f"bench: the job over {hosts} lab hosts failed with exit code {done.returncode}")
    return done.stdout or ""
