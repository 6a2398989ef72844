"""Makes one mpi4py serve all families.

Its wheel holds a module for Open MPI and one for MPICH, and opens the library by the name that is
agreed on. Debian's MPICH keeps its own name instead, so a link with that name is put where the
loader looks. The standard ABI's module must be built: see tests/mpi4py/newer.py.
"""

import subprocess
from importlib.util import find_spec
from pathlib import Path

from harness import Family

MODULES = {"openmpi": "openmpi", "mpich": "mpich", "abi": "mpiabi"}
MPICH_ABI_NAME = "libmpi.so.12"


def why_not() -> str | None:
    if find_spec("mpi4py") is None:
        return "mpi4py is not installed: pip install -r requirements.txt"
    return None


def environment(family: Family) -> dict[str, str]:
    """What a Python program needs to find this family's MPI."""
    library = library_linked_by(family.program("in_c"), "libmpi")
    folders = []
    if Path("/usr/lib") not in library.resolve().parents:
        # What it needs itself lies in a folder of its own.
        folders = [library.parent, *(library.parent / name for name in ("openmpi", "mpich"))]
    elif family.name == "mpich":
        link = family.build / "tests" / "mpi" / family.name / "abi" / MPICH_ABI_NAME
        link.parent.mkdir(exist_ok=True)
        if not link.is_symlink() or link.readlink() != library:
            link.unlink(missing_ok=True)
            link.symlink_to(library)
        folders = [link.parent]
    variables = {"MPI4PY_MPIABI": MODULES[family.name]}
    if folders:
        variables["LD_LIBRARY_PATH"] = ":".join(map(str, folders))
    return variables


def library_linked_by(program: Path, start: str) -> Path:
    lines = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    for line in lines.splitlines():
        name, _, path = line.strip().partition(" => ")
        if name.startswith(start) and path:
            return Path(path.split(" (")[0])
    raise LookupError(f"{program} links no {start}*")
