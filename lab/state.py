"""What is remembered about a lab between commands, in /run/tightwire-lab (root's own in a lab made
without root, where /run is a tmpfs of that lab alone)."""

import fcntl
import json
import os
import re
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from lab.errors import LabError

FOLDER = Path("/run/tightwire-lab")


@dataclass(frozen=True)
class Lab:
    name: str
    hosts: int
    rate: str
    burst: str = "256k"  # bytes that pass at memory speed after a pause
    # The process that a lab lives no longer than, and its start time; 0 for a lab that stays.
    owner: int = 0
    owner_start: int = 0

    @property
    def host_names(self) -> list[str]:
        return [f"host{k}" for k in range(self.hosts)]

    @property
    def hosts_file(self) -> Path:
        return FOLDER / f"{self.name}.hosts"

    def namespace(self, host: str) -> str:
        return f"{prefix(self.name)}{host}"

    @property
    def abandoned(self) -> bool:
        return self.owner != 0 and process_start(self.owner) != self.owner_start


def prefix(name: str) -> str:
    """Every network namespace of lab `name` begins with this, and none of another lab does."""
    if not re.fullmatch(r"[A-Za-z0-9_]{1,32}", name):
        raise LabError(f"lab name '{name}': use 1 to 32 letters, digits or _")
    return f"tightwire-{name}-"


def process_start(pid: int) -> int:
    """Start time of a process in clock ticks after boot; -1 if there is none."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
    except OSError:
        return -1


@contextmanager
def locked():
    """Labs come up and go down one at a time."""
    FOLDER.mkdir(mode=0o755, exist_ok=True)
    with open(FOLDER / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def save(lab: Lab) -> None:
    (FOLDER / f"{lab.name}.json").write_text(json.dumps(asdict(lab)))


def load(name: str) -> Lab:
    try:
        return Lab(**json.loads((FOLDER / f"{name}.json").read_text()))
    except FileNotFoundError:
        raise LabError(f"no lab '{name}' is up; bring it up with: ./run lab up") from None


def load_all() -> list[Lab]:
    return [load(file.stem) for file in sorted(FOLDER.glob("*.json"))]


def forget(name: str) -> None:
    for suffix in (".json", ".hosts"):
        (FOLDER / f"{name}{suffix}").unlink(missing_ok=True)


def default_name() -> str:
    """TIGHTWIRE_LAB, else a name of this checkout's own, so that two checkouts do not clash."""
    checkout = os.stat(Path(__file__).parent)
    return os.environ.get("TIGHTWIRE_LAB") or f"{checkout.st_dev:x}_{checkout.st_ino:x}"
