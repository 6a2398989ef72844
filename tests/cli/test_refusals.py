"""Bad input: one message for the whole job, a non-zero exit, and no rank's program begins."""

import re
import subprocess

import pytest

NOT_FOUND, NOT_EXECUTABLE, USAGE = 127, 126, 2


def refused(result, code, *words):
    """Exactly one message, with these words in it."""
    assert result.code == code, result
    assert len(result.messages) == 1, result.err
    for word in words:
        assert word in result.messages[0]


@pytest.mark.either_mpi
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--error-bound", "-1"], ['error-bound = "-1"', "command line", "negative", "1e-4"]),
        (["--error-bound=nan"], ['error-bound = "nan"', "NaN"]),
        (["--error-bound", "inf"], ["infinite"]),
        (["--chunks", "0"], ['chunks = "0"', "1 to 65536"]),
        (["--mode", "bouned"], ["did you mean bounded?"]),
        (["--mode", "bounded"], ["needs an error bound"]),
        (["--eror-bound", "1"], ["no option --eror-bound", "did you mean --error-bound?"]),
        (["--config", "none.toml"], ["none.toml", "No such file"]),
        (["--report", "no/such/folder/r.json"], ["report", "No such file"]),
        (["--audit", "no/such/folder/a.json"], ["audit", "No such file"]),
        (["--learned", "no/such/folder/l.json"], ["learned", "No such file"]),
    ],
    ids=lambda words: words[0].lstrip("-"),
)
def test_bad_options(tightwire, family, witness, options, words):
    program, begun = witness
    writes = options[0] in ("--report", "--audit", "--learned")  # only the first rank's host does
    ranks = 1 if writes else 4
    refused(tightwire.under(family, ranks).run(*options, program), USAGE, *words)
    assert not begun.exists()


def test_bad_environment(tightwire, family, witness):
    program, begun = witness
    job = tightwire.with_variables(TIGHTWIRE_ZSTD_LEVEL="99").under(family, 4)
    refused(job.run(program), USAGE, 'zstd-level = "99"', "environment variable TIGHTWIRE_ZSTD")
    assert not begun.exists()


def test_unknown_variable(tightwire, family, witness):
    program, begun = witness
    job = tightwire.with_variables(TIGHTWIRE_EROR_BOUND="1").under(family, 2)
    refused(job.run(program), USAGE, "did you mean TIGHTWIRE_ERROR_BOUND?")
    assert not begun.exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\n\nerror-bound = -1.0\n", ["tightwire.toml:3", "negative"]),
        ("mode = raw\n", ["tightwire.toml:1", "not TOML"]),
        ("zstd_level = 3\n", ["tightwire.toml:1", "did you mean zstd-level?"]),
        ("chunks = [1]\n", ["tightwire.toml:1", "not a single value"]),
    ],
)
def test_bad_file(tightwire, family, witness, text, words):
    program, begun = witness
    (tightwire.folder / "tightwire.toml").write_text(text)
    refused(tightwire.under(family, 4).run(program), USAGE, *words)
    assert not begun.exists()


def test_all_problems_are_told_at_once(tightwire, witness):
    result = tightwire.run("--chunks", "0", "--zstd-level", "x", witness[0])
    assert result.code == USAGE
    assert len(result.messages) == 2


def test_unknown_instruction_set(tightwire, witness):
    program, begun = witness
    refused(tightwire.with_variables(TIGHTWIRE_ISA="mmx").run(program), USAGE, "TIGHTWIRE_ISA=mmx")
    assert not begun.exists()


def test_program_not_found(tightwire, family):
    refused(tightwire.under(family).run("./none"), NOT_FOUND, "cannot find the program ./none")


def test_program_of_this_folder_needs_its_dot(tightwire):
    program = tightwire.folder / "app"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    refused(tightwire.run("app"), NOT_FOUND, "did you mean ./app?")


def test_mistyped_command(tightwire):
    refused(tightwire.run("docter"), NOT_FOUND, "did you mean tightwire doctor?")


def test_program_not_executable(tightwire, family, tmp_path):
    file = tmp_path / "plain"
    file.write_text("#!/bin/sh\n")
    refused(tightwire.under(family).run(file), NOT_EXECUTABLE, str(file), "chmod +x")
    refused(tightwire.run(tmp_path), NOT_EXECUTABLE, "is a folder")


def test_no_program(tightwire, family):
    refused(tightwire.under(family, 2).run(), USAGE, "no program to run")


def test_options_of_mpirun_in_the_wrong_place(tightwire):
    refused(tightwire.run("-n", "4", "./app"), USAGE, "mpirun -n ... tightwire ./app")


def test_program_with_both_mpis(tightwire, family, compiler):
    program = compiler.build(
        "both",
        "int main(void) { return 0; }",
        "gcc",
        "-Wl,--no-as-needed",
        "-l:libmpi.so.40",
        "-l:libmpich.so.12",
    )
    refused(
        tightwire.under(family, 2).run(program), USAGE, "libmpi.so.40", "libmpich.so.12", "one of"
    )


def test_one_program_of_two_is_missing(tightwire, family, rank_program):
    """mpirun -n 1 tightwire good : -n 1 tightwire missing: somebody speaks, and nobody hangs."""
    both = tightwire.under(family, 1)
    options = both.prefix[1:]
    result = both.run(rank_program, ":", *options, both.path, "./none")
    assert result.code == NOT_FOUND
    assert "cannot find the program ./none" in result.messages[0]


def static_program(compiler, _folder, code):
    source = f"int main(void) {{ return {code}; }}"
    return compiler.build(f"static-{code}", source, "gcc", "-static")


def musl_program(compiler, folder, code):
    """One that asks for a loader of that name, which stands for the machine's own here."""
    ordinary = compiler.build("dynamic-0", "int main(void) { return 0; }", "gcc")
    loader = re.search(rb"/lib[^\0]*/ld-[^\0]*", ordinary.read_bytes())[0].decode()
    link = folder / "ld-musl.so.1"
    if not link.is_symlink():
        link.symlink_to(loader)
    option = f"-Wl,--dynamic-linker={link}"
    # A folder of its own for each test, so each has a name of its own, too.
    source = f"int main(void) {{ return {code}; }}"
    return compiler.build(f"musl-{folder.parent.name}-{code}", source, "gcc", option)


def narrow_program(compiler, _folder, code):
    source = f"""
    void _start(void) {{
      __asm__("movl $1, %eax; movl ${code}, %ebx; int $0x80");
    }}
    """
    options = ("-m32", "-nostdlib", "-static", "-fno-pie", "-no-pie")
    try:
        program = compiler.build(f"narrow-{code}", source, "gcc", *options)
        assert subprocess.run([program], check=False).returncode == code
    except (subprocess.CalledProcessError, OSError):
        pytest.skip("32-bit programs are not built or do not run here")
    return program


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (static_program, "linked statically"),
        (musl_program, "another C library"),
        (narrow_program, "32-bit x86 program"),
    ],
)
def test_into_which_nothing_can_be_loaded(tightwire, family, compiler, make, said):
    """They run as they are, and one line says why they are not compressed."""
    # Of a program that fails Open MPI's mpirun may lose what it wrote last.
    result = tightwire.under(family).run(make(compiler, tightwire.folder, 0))
    assert result.code == 0, result.err
    assert len(result.messages) == 1, result.err
    assert "runs without compression" in result.messages[0] and said in result.messages[0]
    assert tightwire.run(make(compiler, tightwire.folder, 5)).code == 5


def test_calibrate_needs_a_job(tightwire):
    refused(tightwire.run("calibrate"), USAGE, "mpirun -n 4 tightwire calibrate")
    refused(tightwire.run("calibrate", "--mpi", "lam"), USAGE, "openmpi, mpich or abi")
