"""A lab without root: one user namespace that holds the lab and all that runs in it."""

import os
import subprocess
import sys
from pathlib import Path

from lab.errors import LabError

# Private /run: `ip netns` keeps its names there.
UNSHARE = ["unshare", "--user", "--map-root-user", "--net", "--mount"]
PRIVATE_RUN = 'mount -t tmpfs tmpfs /run && exec "$@"'
CAP_NET_ADMIN, CAP_SYS_ADMIN = 12, 21


def may_make_namespaces() -> bool:
    status = Path("/proc/self/status").read_text()
    effective = int(status.partition("CapEff:")[2].split()[0], 16)
    return all(effective >> cap & 1 for cap in (CAP_NET_ADMIN, CAP_SYS_ADMIN))


def inside(*command: str) -> list[str]:
    return [*UNSHARE, "sh", "-c", PRIVATE_RUN, "sh", *command]


def why_not() -> str:
    """Empty if this machine lets the user have a lab without root, else the reason."""
    probe = "ip netns add probe && ip netns exec probe unshare --uts --ipc hostname probe"
    done = subprocess.run(inside("sh", "-c", probe), capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr.strip() or f"status {done.returncode}"


def again(arguments: list[str]) -> None:
    """Starts `python -m lab ARGUMENTS` again inside a user namespace; does not return."""
    if reason := why_not():
        raise LabError(
            f"a lab needs root or unprivileged user namespaces, and has neither here: {reason}"
        )
    command = inside(sys.executable, "-m", "lab", *arguments)
    os.execvp(command[0], command)
