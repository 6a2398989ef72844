"""A root folder with nothing in it but some Debian packages and what they depend on.

The files are those of this machine's packages, so no mirror is needed. dpkg's records come along:
installing another package into the root checks its dependencies against what is really there.
"""

import re
import shutil
import subprocess
from pathlib import Path

DPKG = Path("/var/lib/dpkg")


def ask(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout


def names_in(field: str) -> list[list[str]]:
    """Of a line such as 'a (>= 1) | b, c:any': [[a, b], [c]]."""
    clauses = [clause for clause in field.split(",") if clause.strip()]
    return [[re.split(r"[\s(:]", one.strip())[0] for one in c.split("|")] for c in clauses]


def with_dependencies(wanted: list[str]) -> list[str]:
    """These packages and all they need, among those that this machine has."""
    form = "${Package}\t${db:Status-Abbrev}\t${Pre-Depends},${Depends}\t${Provides}\n"
    needs, givers = {}, {}
    for line in ask("dpkg-query", "-W", "-f", form).splitlines():
        name, status, depends, provides = line.split("\t")
        if status.startswith("ii"):
            needs[name] = names_in(depends)
            for (virtual,) in names_in(provides):
                givers.setdefault(virtual, name)
    found, open_ends = set(), list(wanted)
    while open_ends:
        name = open_ends.pop()
        if name not in found:
            found.add(name)
            for alternatives in needs[name]:
                installed = [one if one in needs else givers.get(one) for one in alternatives]
                open_ends.append(next(one for one in installed if one))
    return sorted(found)


def copy_file(path: Path, root: Path) -> None:
    target = root / path.relative_to("/")
    if path.is_symlink():
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_symlink():
            target.symlink_to(path.readlink())
    elif path.is_dir():
        target.mkdir(parents=True, exist_ok=True)
    elif path.is_file():  # machines of CI leave out manuals and translations
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)


class CleanRoot:
    def __init__(self, folder: Path, packages: list[str]):
        self.folder = folder
        places = "usr/bin", "usr/lib", "usr/lib64", "usr/sbin", "proc", "sys", "dev", "tmp", "etc"
        for name in places:
            (folder / name).mkdir(parents=True)
        (folder / "etc" / "passwd").write_text("root:x:0:0:root:/tmp:/bin/sh\n")
        for name in ("bin", "lib", "lib64", "sbin"):
            (folder / name).symlink_to(f"usr/{name}")
        packages = with_dependencies(packages)
        for line in sorted(set(ask("dpkg-query", "-L", *packages).splitlines())):
            if line.startswith("/") and line != "/.":
                copy_file(Path(line), folder)
        self._copy_records(packages)
        self.inside("ldconfig")

    def _copy_records(self, packages: list[str]) -> None:
        records = self.folder / DPKG.relative_to("/")
        (records / "info").mkdir(parents=True, exist_ok=True)
        (records / "updates").mkdir(exist_ok=True)
        (records / "status").write_text(ask("dpkg-query", "-s", *packages))
        for name in packages:
            for file in [*DPKG.glob(f"info/{name}.list"), *DPKG.glob(f"info/{name}:*.list")]:
                shutil.copy(file, records / "info")

    def install(self, package: Path) -> subprocess.CompletedProcess:
        return self._run(
            ["dpkg", f"--root={self.folder}", "--force-not-root", "--install", str(package)]
        )

    def inside(self, script: str, limit: float = 60) -> subprocess.CompletedProcess:
        """Runs a shell script in the root, alone in its process namespace, as (its) root."""
        enter = (
            'mount --make-rprivate / && mount -t proc proc "$0/proc" && '
            'mount --rbind /sys "$0/sys" && mount --rbind /dev "$0/dev" && '
            'mount -t tmpfs tmpfs "$0/tmp" && '
            'exec chroot "$0" /bin/sh -c "cd /tmp; $1"'
        )
        return self._run(["sh", "-c", enter, str(self.folder), script], limit)

    @staticmethod
    def _run(words: list[str], limit: float = 60) -> subprocess.CompletedProcess:
        separate = ["unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork"]
        return subprocess.run(
            [*separate, "--kill-child", *words],
            capture_output=True,
            text=True,
            timeout=limit,
            stdin=subprocess.DEVNULL,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"},
        )


def why_not() -> str | None:
    """The reason why no such root can be made here."""
    if shutil.which("dpkg-query") is None:
        return "not a Debian machine"
    tried = CleanRoot._run(["mount", "--make-rprivate", "/"])
    return f"cannot make namespaces: {tried.stderr.strip()}" if tried.returncode else None
