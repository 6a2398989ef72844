"""Runs a benchmark of collectives under Tightwire over hosts of the lab."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(os.environ.get("TIGHTWIRE_BUILD", ROOT / "build")) / "bin"


def measure(
    family: str,
    hosts: int,
    rate: str,
    options: list[str],
    environment: dict[str, str] | None = None,
    program: str = "bench-collectives",
    capture: bool = False,
) -> str:
    """One rank per host; ends this program if it fails. Returns what it printed, if captured."""
    job = [str(BIN / "tightwire"), str(BIN / f"{program}-{family}"), *options]
    lab = [str(ROOT / "run"), "lab"]
    within = [*lab, "with", "--hosts", str(hosts), "--rate", rate, "--"]
    command = [*within, *lab, "exec", "--mpi", family, "--timeout", "900", "--", *job]
    # No settings of the caller's: the benchmark makes its own.
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("TIGHTWIRE_") or name in ("TIGHTWIRE_BUILD", "TIGHTWIRE_ROOT")
    }
    done = subprocess.run(
        command,
        env=inherited | (environment or {}),
        cwd=ROOT,
        stdout=subprocess.PIPE if capture else None,
        text=True,
    )
    if done.returncode != 0:
        sys.exit(f"bench: the job over {hosts} lab hosts failed with exit code {done.returncode}")
    return done.stdout or ""
