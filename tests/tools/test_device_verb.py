"""What "./run device" makes of machines that lack something, and of what its program says."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
VERB = ROOT / "tools" / "run.d" / "device"
BUILD = ROOT / "tools" / "build_device.sh"
# Of the machine's, as much as the scripts want of any.
PLAIN = [
    "bash",
    "basename",
    "cat",
    "dirname",
    "env",
    "find",
    "grep",
    "mkdir",
    "mv",
    "nproc",
    "readlink",
    "rm",
    "sed",
    "sort",
    "tail",
    "timeout",
    "tr",
    "wc",
    "xargs",
]


class Machine:
    """A checkout with a program that is a shell script, and a PATH on which there is little."""

    def __init__(self, folder: Path):
        self.root = folder / "checkout"
        self.tools = folder / "bin"
        self.tools.mkdir()
        for name in PLAIN:
            found = subprocess.run(["which", name], capture_output=True, text=True).stdout.strip()
            (self.tools / name).symlink_to(found)
        self.script(self.root / "tools" / "build_device.sh", 'echo "built $1"')

    @staticmethod
    def script(path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/bash\n{text}\n")
        path.chmod(0o755)

    def program(self, text: str) -> None:
        self.script(self.root / "build-device" / "bin" / "bench_device", text)

    def tool(self, name: str, text: str) -> None:
        self.script(self.tools / name, text)

    def run(self, script: Path, *words: str) -> subprocess.CompletedProcess:
        environment = {"TIGHTWIRE_ROOT": str(self.root), "PATH": str(self.tools)}
        environment["CUDA_HOME"] = "/none"
        return subprocess.run([script, *words], env=environment, capture_output=True, text=True)


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_without_a_gpu_it_says_so_in_one_line(machine):
    machine.program('echo "bench_device: no CUDA device: none is there" >&2; exit 3')
    done = machine.run(VERB)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines == [
        "bench_device: no CUDA device: none is there",
        "run: device: no GPU here that runs this; the kernels compile",
    ]


def test_what_differs_is_a_failure_and_the_sanitizers_still_run(machine):
    machine.program("exit 1")
    machine.tool("compute-sanitizer", "exit 0")
    done = machine.run(VERB)
    assert done.returncode == 1
    assert "bench_device failed" in done.stderr
    assert "compute-sanitizer racecheck: nothing found" in done.stdout


def test_what_a_sanitizer_finds_is_a_failure(machine):
    machine.program("exit 0")
    machine.tool("compute-sanitizer", '[[ $2 != racecheck ]] || { echo "a hazard"; exit 9; }')
    done = machine.run(VERB)
    assert done.returncode == 1
    assert "memcheck: nothing found" in done.stdout
    assert "a hazard" in done.stderr
    assert "compute-sanitizer racecheck found the above" in done.stderr


def test_without_compute_sanitizer_it_is_left_out(machine):
    machine.program("exit 0")
    done = machine.run(VERB)
    assert done.returncode == 0
    assert "no compute-sanitizer: left out" in done.stdout


def test_messages_are_left_out_without_an_mpi(machine):
    machine.program("exit 0")
    done = machine.run(VERB, "--no-sanitizer")
    assert done.returncode == 0
    for family, launcher in (("mpich", "mpiexec.mpich"), ("openmpi", "mpirun.openmpi")):
        said = f"messages and collectives, {family}: left out, as there is no {launcher}"
        assert said in done.stdout


@pytest.mark.parametrize(("answer", "code"), [("within the bound", 0), ("wrong", 1)])
def test_messages_between_two_ranks_go_through_the_gpu(machine, answer, code):
    machine.program("exit 0")
    machine.script(machine.root / "build" / "tests" / "mpi" / "mpich" / "coded_on_device", "exit 0")
    machine.script(machine.root / "build" / "lib" / "libtightwire-mpich.so", "")
    machine.tool("mpiexec.mpich", f'echo "$@" >>"$TIGHTWIRE_ROOT/sent"; echo "{answer}"')
    done = machine.run(VERB, "--no-sanitizer")
    assert done.returncode == code
    said = "messages and collectives, mpich: all within the bound"
    assert (said in done.stdout) == (code == 0)
    said = f"mpich, 2 ranks, TIGHTWIRE_ALGORITHM=auto: float device device send smooth: {answer}"
    assert (said in done.stderr) == (code == 1)
    sent = (machine.root / "sent").read_text()
    assert "TIGHTWIRE_DEVICE=compress" in sent
    assert "libcuda.so.1 double host device persistent smooth" in sent
    assert "libcuda.so.1 alltoall float device mixed smooth 3" in sent
    doubling = "TIGHTWIRE_ALGORITHM=recursive-doubling build/tests/mpi/mpich/collective_on_device"
    assert doubling in sent


def test_options_are_the_programs_but_for_two(machine):
    machine.program('echo "$@"')
    done = machine.run(VERB, "--no-build", "--sizes", "1,16", "--no-sanitizer")
    assert done.returncode == 0
    assert "--sizes 1,16\n" in done.stdout
    assert "built" not in done.stdout
    assert "compute-sanitizer" not in done.stdout


def test_no_build_wants_a_program(machine):
    done = machine.run(VERB, "--no-build")
    assert done.returncode == 1
    assert "no build-device/bin/bench_device; without --no-build it is built" in done.stderr


def test_all_that_is_missing_is_named_at_once(machine):
    done = machine.run(BUILD, "build-device")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert (
        "needs CUDA's compiler nvcc, 12.0 or later (or its folder on PATH) and g++" in done.stderr
    )


SOURCES = [
    "bench/device/c.cpp",
    "bench/fields/d.cpp",
    "src/codec/a.cpp",
    "src/codec/adapters/raw.cpp",
    "src/codec/adapters/zstd.cpp",
    "src/codec/simd/avx2/kernels.cpp",
    "src/device/cuda/b.cu",
    "src/device/cuda/plugin.cpp",
    "src/device/host_codec.cpp",
    "src/os/e.cpp",
]
LEFT_OUT = ["src/codec/adapters/zstd.cpp"]  # it needs a library


def sources_of(machine: Machine) -> None:
    (machine.root / "bench" / "support").mkdir(parents=True)
    for name in SOURCES:
        (machine.root / name).parent.mkdir(parents=True, exist_ok=True)
        (machine.root / name).write_text("")


COMPILER = """\
echo "$0 $*" >>"$TIGHTWIRE_ROOT/compiled"
[[ $* != *--version* ]] || exit 0
[[ $* != *"${FAILS-/none}"* ]] || { echo "no good" >&2; exit 1; }
while [[ $1 != -o ]]; do shift; done
: >"$2"
"""


def test_it_compiles_with_nvcc_and_gxx_alone(machine):
    sources_of(machine)
    for compiler in ["nvcc", "g++"]:
        machine.tool(compiler, COMPILER)
    machine.tool("ar", "exit 0")
    assert machine.run(BUILD, "build-device").returncode == 0
    assert (machine.root / "build-device" / "bin" / "bench_device").exists()
    assert (machine.root / "build-device" / "lib" / "libtightwire_cuda.so").exists()
    compiled = (machine.root / "compiled").read_text()
    assert compiled.count(" -c ") == len(SOURCES) - len(LEFT_OUT)
    assert LEFT_OUT[0] not in compiled
    assert "--fmad=false" in compiled and "-ffp-contract=off" in compiled

    # What is newer than all sources stays.
    assert machine.run(BUILD, "build-device").returncode == 0
    again = (machine.root / "compiled").read_text()
    assert again.count(" -c ") == compiled.count(" -c ")


def test_what_does_not_compile_ends_it(machine):
    sources_of(machine)
    machine.tool("g++", COMPILER.replace("${FAILS-/none}", "codec/a.cpp"))
    machine.tool("nvcc", COMPILER)
    done = machine.run(BUILD, "build-device")
    assert done.returncode == 1
    assert "no good" in done.stderr
    assert "run: device: its sources do not compile; the message stands above" in done.stderr
    assert not (machine.root / "build-device" / "bin" / "bench_device").exists()
