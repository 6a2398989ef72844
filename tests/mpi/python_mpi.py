"""Makes one mpi4py serve both families.

Its wheel holds a module for each MPI ABI and opens the library by that ABI's name. Debian's MPICH
keeps its own name instead of the ABI's, libmpi.so.12, so a link with that name is put where the
loader looks.
"""

import subprocess
from importlib.util import find_spec
from pathlib import Path

from harness import Family

MPICH_ABI_NAME = "libmpi.so.12"


def why_not() -> str | None:
    if find_spec("mpi4py") is None:
        return "mpi4py is not installed: pip install -r requirements.txt"
    return None


def environment(family: Family) -> dict[str, str]:
    """What a Python program needs to find this family's MPI."""
    if family.name == "openmpi":
        return {"MPI4PY_MPIABI": "openmpi"}
    link = family.build / "tests" / "mpi" / family.name / "abi" / MPICH_ABI_NAME
    link.parent.mkdir(exist_ok=True)
    library = library_linked_by(family.program("in_c"), "libmpi")
    if not link.is_symlink() or link.readlink() != library:
        link.unlink(missing_ok=True)
        link.symlink_to(library)
    return {"MPI4PY_MPIABI": "mpich", "LD_LIBRARY_PATH": str(link.parent)}


def library_linked_by(program: Path, start: str) -> Path:
    lines = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    for line in lines.splitlines():
        name, _, path = line.strip().partition(" => ")
        if name.startswith(start) and path:
            return Path(path.split(" (")[0])
    raise LookupError(f"{program} links no {start}*")
