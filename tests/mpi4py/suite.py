"""mpi4py's own tests: fetched once into the cache, run plain and under tightwire, and compared."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mpi"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import python_mpi
from harness import Family, Outcome, Part
from pypi_mpi import cache

REPOSITORY = Path(__file__).resolve().parents[2]
VERSION = "4.1.1"  # of the wheel in requirements.txt too
SHA256 = "eb2c8489bdbc47fdc6b26ca7576e927a11b070b6de196a443132766b3d0a2a22"

# So that nearly every message is framed and compressed: every size, also on one host, in chunks,
# and as if over a network so slow that everything pays.
EVERYTHING = [
    *("--same-host", "compress", "--link", "1M"),
    *("--threshold-exact", "1", "--threshold-bounded", "1", "--threshold-pipelined", "1"),
]

# Test modules that show nothing of Tightwire or cannot run here, and why.
LEFT_OUT = {
    "test_spawn": "starts more processes: its children are other jobs",
    "test_dynproc": "connects separate jobs, through a name server that is not there",
    "test_doc": "reads the documentation strings",
    "test_package": "needs no MPI",
    "test_io": "files, which Tightwire does not touch; takes minutes on a slow disk",
    "test_rma": "one-sided communication, which Tightwire does not touch; takes minutes",
    "test_rma_nb": "the same",
    "test_util_dtlib": "compares datatypes with NumPy's, without messages; takes a minute",
    "test_util_sync": "locks by one-sided communication; MPICH 4.0 fails one and then hangs",
}
# Of one MPI, which hangs in it by itself.
LEFT_OUT_OF = {"mpich 4.0.": ["test_p2p_buf_part"]}
# The same with one rank: it starts more processes.
LEFT_OUT_ALONE = {"mpich 5.": ["test_util_pool"], "abi 5.": ["test_util_pool"]}
LEFT_OUT_CLASSES = {"test_datatype.TestDatatypePickle": "sends no messages; takes a minute"}


def left_out(mpi: str, ranks: int) -> set[str]:
    """Of this MPI's version, as Family.version() has it."""
    tables = [LEFT_OUT_OF, *([LEFT_OUT_ALONE] if ranks == 1 else [])]
    own = [modules for table in tables for start, modules in table.items() if mpi.startswith(start)]
    return set(LEFT_OUT).union(*own)


def families(names: list[str], build: Path) -> list[Family]:
    """Those that can run, for scripts."""
    found = [Family(name, build) for name in names]
    for family in found:
        if reason := family.why_not() or python_mpi.why_not():
            raise SystemExit(f"mpi4py: {family.name}: {reason}")
    return found


def abi_module() -> Path:
    """Where mpi4py for the standard ABI is kept; newer.py builds it."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return cache() / f"mpi4py-{VERSION}-abi-python{python}"


def fetch() -> Path:
    """The folder of the tests, from the source distribution of PyPI; the hash is checked."""
    ready = cache() / f"mpi4py-{VERSION}" / "test"
    if ready.is_dir():
        return ready
    cache().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache()) as work:
        archive = download(Path(work))
        with tarfile.open(archive) as content:
            inside = f"mpi4py-{VERSION}/test/"
            tests = [one for one in content.getmembers() if one.name.startswith(inside)]
            content.extractall(work, members=[one for one in tests if one.isreg() or one.isdir()])
        if not ready.is_dir():
            ready.parent.mkdir(exist_ok=True)
            shutil.move(Path(work) / inside, ready)
    return ready


def download(folder: Path) -> Path:
    # pip runs the package's setup even to download it; with setuptools at hand it needs no other.
    venv = folder / "venv"
    pip = [venv / "bin" / "python", "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wanted = folder / "wanted.txt"
    wanted.write_text(f"mpi4py=={VERSION} --hash=sha256:{SHA256}\n")
    only_source = ["--no-deps", "--no-binary", ":all:", "--no-build-isolation", "--require-hashes"]
    for words in (
        [sys.executable, "-m", "venv", venv],
        [*pip, "install", "setuptools>=77"],
        [*pip, "download", *only_source, "-r", wanted, "-d", folder],
    ):
        subprocess.run(words, check=True, timeout=300, stdin=subprocess.DEVNULL)
    archive = folder / f"mpi4py-{VERSION}.tar.gz"
    if hashlib.sha256(archive.read_bytes()).hexdigest() != SHA256:
        raise ValueError(f"{archive.name} of PyPI is not the one that was tested")
    return archive


@dataclass
class Records:
    """What became of each test, over all ranks; the worst that any of them saw."""

    outcome: Outcome
    results: dict[str, str] = field(default_factory=dict)

    ORDER = ("skipped", "passed", "started", "failed")

    @classmethod
    def read(cls, outcome: Outcome, folder: Path) -> Records:
        records = cls(outcome)
        for file in sorted(folder.iterdir()):
            latest: dict[str, str] = {}
            for line in file.read_text().splitlines():
                what, _, test = line.partition(" ")
                if latest.get(test) != "failed":
                    latest[test] = what
            for test, what in latest.items():
                worse = max(records.results.get(test, "skipped"), what, key=cls.ORDER.index)
                records.results[test] = worse
        return records

    def with_result(self, *wanted: str) -> set[str]:
        return {test for test, result in self.results.items() if result in wanted}

    @property
    def passed(self) -> set[str]:
        return self.with_result("passed")

    @property
    def unfinished(self) -> set[str]:
        return self.with_result("started")


@dataclass(frozen=True)
class Suite:
    family: Family
    ranks: int
    folder: Path  # for records
    modules: tuple[str, ...] = ()  # all, if none is named
    limit: float = 600

    def run(self, name: str, *launcher: str, without: set[str] = frozenset()) -> Records:
        records = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self.folder))
        script = Path(__file__).parent / "in_rank.py"
        options = ["-q", *self.without_modules()]
        options += [word for module in self.modules for word in ("-i", rf"^{module}\.py$")]
        options += [word for test in sorted({*LEFT_OUT_CLASSES, *without}) for word in ("-x", test)]
        command = [sys.executable, str(script), str(fetch()), str(records), *options]
        environment = python_mpi.environment(self.family) | {"PYTHONHASHSEED": "0"}
        if self.family.name == "abi":
            environment["PYTHONPATH"] = str(abi_module())
        if self.family.spins:  # see preload/yield.c; Python loads UCX late and for itself
            environment["LD_PRELOAD"] = f"{self.family.program('yield.so')}:libucp.so.0"
        part = Part(self.ranks, [*launcher, *command], environment)
        outcome = self.family.run(part, limit=self.limit, folder=self.folder)
        return Records.read(outcome, records)

    def without_modules(self) -> list[str]:
        modules = sorted(left_out(self.family.version(), self.ranks))
        return [word for module in modules for word in ("-e", rf"^{module}\.py$")]

    def under_tightwire(self, *options: str, without: set[str] = frozenset()) -> Records:
        words = [str(self.family.launcher), "--mpi", self.family.name, *options]
        return self.run("under", *words, without=without)
