"""tightwire doctor: a verdict, reasons, exit code 0 or 1; the program never runs."""

import os
import re

import pytest


def failures(result):
    return [line for line in result.out.splitlines() if line.startswith("FAIL")]


def sick(result, *words):
    """One failure, with these words in it, and the verdict and exit code that go with it."""
    assert result.code == 1, result.out
    assert len(failures(result)) == 1, result.out
    for word in words:
        assert word in failures(result)[0]
    assert "verdict: Tightwire does not work" in result.out.splitlines()[-1]


def well(result):
    assert result.code == 0, result.out
    assert failures(result) == []
    assert "verdict: Tightwire works" in result.out.splitlines()[-1]


NAMES = {"openmpi": "Open MPI", "mpich": "MPICH"}


def test_finds_the_family_of_a_program(tightwire, build, family, rank_program):
    result = tightwire.run("doctor", rank_program)
    well(result)
    assert f"PASS  MPI        {NAMES[family]}, because it is linked to lib" in result.out
    assert f"PASS  preload    {build / 'lib' / f'libtightwire-{family}.so'} loads" in result.out
    version = {"openmpi": "Open MPI v", "mpich": "MPICH Version: "}[family]
    assert version in result.out


def test_says_what_becomes_of_buffers_on_gpus(tightwire):
    def told(*options):
        lines = tightwire.run("doctor", *options).out.splitlines()
        return next(line for line in lines if line.startswith("NOTE  GPUs"))

    assert "(device = auto): buffers there are staged" in told()
    assert "(device = compress): messages between two ranks" in told("--device", "compress")
    assert "libtightwire_cuda.so" in told("--device", "compress")
    assert "(device = off): buffers there go to MPI as they are" in told("--device", "off")


def test_says_what_is_kept_of_messages(tightwire):
    def told(*options):
        lines = tightwire.run("doctor", *options).out.splitlines()
        return next(line for line in lines if line.startswith("NOTE  history"))

    assert re.search(r"history-memory = auto: [1-9]\d* MiB a rank at most", told())
    assert "history-memory = 64M" in told("--history-memory", "64M")
    for option in (("--history", "off"), ("--history-memory", "0")):
        assert "not predicted" in told(*option)


def test_says_which_calls_can_be_compressed(tightwire, build, family):
    program = build / "tests" / "mpi" / family / "many_kinds"
    lines = tightwire.run("doctor", program).out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("NOTE  calls "))
    assert (
        "8 of the 12 imported functions of MPI that carry values can be compressed" in lines[start]
    )
    compressed, left = (line.split(": ")[1].split(", ") for line in lines[start + 1 : start + 3])
    assert {"MPI_Allreduce", "MPI_Alltoall", "MPI_Send_init", "MPI_Sendrecv"} <= set(compressed)
    assert set(left) == {"MPI_Accumulate", "MPI_Get", "MPI_Put", "MPI_Ssend_init"}
    assert len(compressed) == 8


def test_speaks_once_under_mpirun(tightwire, family, rank_program):
    result = tightwire.under(family).run("doctor", rank_program)
    well(result)
    assert result.out.count("verdict:") == 1
    assert f"{NAMES[family]}'s mpirun, rank 0" in result.out


def test_alone_looks_at_the_installation(tightwire, family):
    result = tightwire.run("doctor")
    well(result)
    assert f"libtightwire-{family}.so loads" in result.out


def test_shows_settings_with_their_places(tightwire):
    (tightwire.folder / "tightwire.toml").write_text("chunks = 3\n")
    out = tightwire.with_variables(TIGHTWIRE_ZSTD_LEVEL="7").run("doctor", "--mode", "raw").out
    table = [line[17:].split(maxsplit=2) for line in out.splitlines()]
    assert ["chunks", "3", "tightwire.toml:1"] in table
    assert ["zstd-level", "7", "environment variable TIGHTWIRE_ZSTD_LEVEL"] in table
    assert any(line[-3:] == ["mode", "raw", "command line"] for line in table)


def test_bad_settings_are_a_failure(tightwire):
    sick(tightwire.run("doctor", "--error-bound", "nan"), "settings", "NaN")


def test_script_depends_on_the_launcher(tightwire, family, witness):
    program, begun = witness
    well(tightwire.run("doctor", program))
    well(tightwire.under(family, 1).run("doctor", program))
    assert not begun.exists(), "the doctor ran the program"


def test_missing_program(tightwire):
    sick(tightwire.run("doctor", "./none"), "cannot find the program ./none")


def test_static_program(tightwire, compiler):
    source = "int main(void) { return 0; }"
    sick(tightwire.run("doctor", compiler.build("static", source, "gcc", "-static")), "statically")


def test_static_mpi(tightwire, compiler):
    source = "int MPI_Init(void) { return 0; } int main(void) { return MPI_Init(); }"
    sick(tightwire.run("doctor", compiler.build("own", source, "gcc")), "static MPI")


def test_missing_library(tightwire, compiler):
    options = ("-shared", "-fPIC", "-Wl,-soname,libgone.so")
    library = compiler.build("libgone.so", "int gone(void) { return 0; }", "gcc", *options)
    source = "int gone(void); int main(void) { return gone(); }"
    program = compiler.build("lost", source, "gcc", str(library), "-Wl,-rpath,/nowhere")
    os.rename(library, library.with_suffix(".away"))
    sick(tightwire.run("doctor", program), "libgone.so", "LD_LIBRARY_PATH")


def test_both_mpis(tightwire, compiler):
    program = compiler.build(
        "both",
        "int main(void) { return 0; }",
        "gcc",
        "-Wl,--no-as-needed",
        "-l:libmpi.so.40",
        "-l:libmpich.so.12",
    )
    sick(tightwire.run("doctor", program), "two MPIs", "libmpi.so.40", "libmpich.so.12")


def test_wrong_mpirun(tightwire, family, rank_program):
    other = {"openmpi": "mpich", "mpich": "openmpi"}[family]
    sick(tightwire.under(other, 1).run("doctor", rank_program), "was started by")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a setuid program of another user")
def test_setuid(tightwire, compiler):
    program = compiler.build("setuid", "int main(void) { return 0; }", "gcc")
    os.chown(program, 65534, 65534)
    program.chmod(0o4755)
    sick(tightwire.run("doctor", program), "is setuid")


def test_other_machine(tightwire, compiler, tmp_path):
    content = bytearray(compiler.build("plain", "int main(void){return 0;}", "gcc").read_bytes())
    content[4] = 1  # EI_CLASS: 32-bit
    program = tmp_path / "foreign"
    program.write_bytes(content)
    program.chmod(0o755)
    sick(tightwire.run("doctor", program), "32-bit")


def test_missing_preload(tightwire, rank_program, family, tmp_path):
    (tmp_path / "bin").mkdir()
    alone = tmp_path / "bin" / "tightwire"
    alone.write_bytes(tightwire.path.read_bytes())
    alone.chmod(0o755)
    moved = type(tightwire)(alone, tightwire.folder)
    sick(moved.run("doctor", rank_program), f"libtightwire-{family}.so", str(tmp_path / "lib"))


def test_preload_that_does_not_load(tightwire, rank_program, family, tmp_path):
    for folder in ("bin", "lib"):
        (tmp_path / folder).mkdir()
    alone = tmp_path / "bin" / "tightwire"
    alone.write_bytes(tightwire.path.read_bytes())
    alone.chmod(0o755)
    (tmp_path / "lib" / f"libtightwire-{family}.so").write_text("not a library")
    moved = type(tightwire)(alone, tightwire.folder)
    sick(moved.run("doctor", rank_program), "does not load")
