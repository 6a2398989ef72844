"""Runs a benchmark and notes in results/provenance.csv which files of results/ it changed.

Arguments: how it was asked for, as one word; then the command."""

import subprocess
import sys
from pathlib import Path

import provenance

RESULTS = provenance.ROOT / "results"


def changed_since(before: provenance.Digests, folder: Path) -> provenance.Digests:
    now = provenance.digests(folder)
    return {name: digest for name, digest in now.items() if before.get(name) != digest}


def main() -> None:
    asked, *command = sys.argv[1:]
    before = provenance.digests(RESULTS)
    made = provenance.environment()
    code = 130
    try:
        code = subprocess.run(command).returncode
    except KeyboardInterrupt:
        pass
    finally:
        if changed := changed_since(before, RESULTS):
            provenance.note(RESULTS, changed, asked, made, whole=False)
    sys.exit(code)


if __name__ == "__main__":
    main()
