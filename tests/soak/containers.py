#!/usr/bin/env python3
"""soak containers: an installation of build/ in the containers that there are tools for

The image holds MPICH and what it needs of this machine's packages, the folder of Tightwire is bound
into it, as one does with a cluster's. Each way runs two ranks, whose messages must be right and
compressed. Writes the table of docs/user/install.md, of the tools that are here: charliecloud,
podman (with runc) and docker.io are packages of Debian, and Docker's daemon has to run.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "packaging"))
import clean_root

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "user" / "install.md"
BEGIN, END = "<!-- begin: ./run soak containers -->\n", "<!-- end -->\n"
IMAGE = "tightwire-soak"
PACKAGES = ["bash", "coreutils", "dash", "grep", "libc-bin", "libstdc++6", "mpich"]
COMPRESSED = re.compile(r"^(Allreduce|Send) +exact", re.MULTILINE)
OPTIONS = "--same-host compress --verbose /opt/app"
INSIDE = f"cd /tmp; mpirun.mpich -n 2 /opt/tightwire/bin/tightwire {OPTIONS}"
# Ranks of one host talk by memory that they share, so they have to share a container.
CH_RUN = "ch-run --join --join-ct 2 --join-tag"
# What the container's runtime may not raise on every machine.
LIMITS = "--ulimit nofile=1024:1024 --ulimit nproc=1000:1000"
# Over TCP, Debian's MPICH may hang in MPI_Finalize (lab/README.md).
BOUND = "-v {prefix}:/opt/tightwire:ro --network host --rm --env UCX_TLS=posix,self"
# Tool, who starts what, command line.
WAYS = [
    (
        "ch-run",
        "`mpirun` and `tightwire` inside",
        "ch-run --bind {prefix}:/opt/tightwire {root} -- sh -c '" + INSIDE + "'",
    ),
    (
        "ch-run",
        "`mpirun` outside, `tightwire` inside",
        f"mpirun.mpich -n 2 {CH_RUN} {{tag}}-1 --bind {{prefix}}:/opt/tightwire {{root}}"
        f" -- /opt/tightwire/bin/tightwire {OPTIONS}",
    ),
    (
        "ch-run",
        "both outside, its folder bound at the same place",
        f"mpirun.mpich -n 2 {{prefix}}/bin/tightwire {OPTIONS.removesuffix('/opt/app')}"
        f"{CH_RUN} {{tag}}-2 --bind {{prefix}}:{{prefix}} {{root}} -- /opt/app",
    ),
    (
        "podman",
        "`mpirun` and `tightwire` inside",
        f"podman --runtime runc run {BOUND} {LIMITS} --rootfs {{root}} sh -c '{INSIDE}'",
    ),
    (
        "docker",
        "`mpirun` and `tightwire` inside",
        f"tar -C {{root}} -c . | docker import - {IMAGE} >&2 && "
        f"docker run {BOUND} {IMAGE} sh -c '{INSIDE}'; docker rmi {IMAGE} >&2",
    ),
]
ENVIRONMENT = {"USER": "root"} | os.environ  # ch-run wants one
NAMES = {"ch-run": "Charliecloud", "podman": "Podman", "docker": "Docker"}


def make_root(folder: Path) -> Path:
    clean_root.CleanRoot(folder, PACKAGES)
    (folder / "opt" / "tightwire").mkdir(parents=True)
    (folder / "home").mkdir(exist_ok=True)
    (folder / "mnt").mkdir(exist_ok=True)
    # These the tools bind from outside, and want to find.
    for name in ("group", "hosts", "hostname", "nsswitch.conf", "resolv.conf"):
        (folder / "etc" / name).touch()
    program = ROOT / "packaging" / "wheel" / "app.c"
    subprocess.run(["mpicc.mpich", program, "-o", folder / "opt" / "app"], check=True)
    return folder


def version_of(tool: str) -> str:
    ask = [tool, "--version"]
    if tool == "docker":  # the daemon's, which runs the container
        ask = [tool, "version", "--format", "{{.Server.Version}}"]
    said = subprocess.run(ask, capture_output=True, text=True, env=ENVIRONMENT)
    return re.search(r"\d+(\.\d+)+", said.stdout + said.stderr)[0]


def usable(tool: str) -> bool:
    if shutil.which(tool) is None:
        return False
    return tool != "docker" or subprocess.run([tool, "info"], capture_output=True).returncode == 0


def row(way: tuple[str, str, str], places: dict[str, Path | str]) -> str:
    tool, who, line = way
    if not usable(tool):
        print(f"{NAMES[tool]}: left out, it is not here or does not run", flush=True)
        return ""
    done = subprocess.run(
        ["timeout", "--kill-after=5", "120", "bash", "-c", line.format(**places)],
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    both = set(COMPRESSED.findall(done.stdout + done.stderr))
    if "right with" not in done.stdout or both != {"Allreduce", "Send"}:
        sys.exit(f"soak containers: {tool}, {who}: failed\n{done.stdout}{done.stderr}")
    print(f"{NAMES[tool]}, {who}: right and compressed", flush=True)
    return f"| {NAMES[tool]} {version_of(tool)} | {who} |\n"


def main() -> None:
    reason = clean_root.why_not()
    if reason:
        sys.exit(f"soak containers: {reason}")
    with tempfile.TemporaryDirectory(prefix="tightwire") as name:
        folder = Path(name)
        prefix = folder / "prefix"
        build = os.environ.get("TIGHTWIRE_BUILD", ROOT / "build")
        subprocess.run(
            ["cmake", "--install", build, "--prefix", prefix],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        places = {"prefix": prefix, "root": make_root(folder / "root"), "tag": folder.name}
        table = "".join(row(way, places) for way in WAYS)
    if not table:
        sys.exit("soak containers: no tool is here")
    before, rest = PAGE.read_text().split(BEGIN)
    heading = "| tool | tried |\n|---|---|\n"
    PAGE.write_text(before + BEGIN + heading + table + END + rest.split(END, 1)[1])


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(__doc__)
    main()
