"""A prefix, made by cmake --install or of the tarball, and then moved: everything in it is found
from where it lies now."""

import shutil
import subprocess
from pathlib import Path

import pytest


def unpacked(request, folder: Path) -> Path:
    shutil.unpack_archive(request.getfixturevalue("tarball"), folder)
    (prefix,) = folder.iterdir()
    return prefix


def installed(request, folder: Path) -> Path:
    build = request.getfixturevalue("build_folder")
    words = ["cmake", "--install", build, "--prefix", folder / "prefix"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return folder / "prefix"


@pytest.fixture(scope="module", params=[unpacked, installed])
def prefix(request, tmp_path_factory) -> Path:
    made = request.param(request, tmp_path_factory.mktemp("made"))
    moved = tmp_path_factory.mktemp("elsewhere") / "opt" / "tightwire"
    moved.parent.mkdir()
    return made.rename(moved)


@pytest.fixture
def run(clean_environment, tmp_path):
    def run(*words, **variables) -> str:
        done = subprocess.run(
            [str(word) for word in words],
            env=clean_environment | variables,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


def test_nothing_in_it_names_the_build(prefix, build_folder):
    """Neither the build folder nor the prefix it was configured with."""
    for file in prefix.rglob("*"):
        if file.is_file() and file.suffix not in (".md", ".png"):
            assert str(build_folder).encode() not in file.read_bytes(), file
            if file.suffix in (".pc", ".cmake") or "modulefiles" in file.parts:
                assert "/usr" not in file.read_text(), file


def test_a_program_runs_with_it(prefix, family, build_folder, run):
    options = ["--oversubscribe"] if family == "openmpi" else []
    app = build_folder / "tests" / "mpi" / family / "in_c"
    words = [prefix / "bin" / "tightwire", "--same-host", "compress", "--verbose", app]
    assert "exact+pipelined" in run(f"mpirun.{family}", *options, "-n", "2", *words)


def test_its_library_is_the_one_loaded(prefix, family, run):
    preload = run(prefix / "bin" / "tightwire", "--mpi", family, "sh", "-c", 'echo "$LD_PRELOAD"')
    assert preload.strip() == str(prefix / "lib" / "tightwire" / f"libtightwire-{family}.so")


def test_its_commands_find_their_parts(prefix, family, run):
    command = prefix / "bin" / "tightwire"
    assert "--seconds" in run(f"mpirun.{family}", "-n", "1", command, "calibrate", "--help")
    assert "FAIL" not in run(command, "doctor", "--mpi", family)


def test_shells_and_man_find_their_files(prefix):
    share = prefix / "share"
    assert "_tightwire" in (share / "bash-completion/completions/tightwire").read_text()
    assert (share / "zsh/site-functions/_tightwire").read_text().startswith("#compdef tightwire")
    assert "complete -c" in (share / "fish/vendor_completions.d/tightwire.fish").read_text()
    assert (share / "man/man1/tightwire.1").read_text().startswith(".TH TIGHTWIRE 1 ")


def test_its_module(prefix, run):
    if shutil.which("modulecmd") is None:
        pytest.skip("no environment-modules here")
    module = prefix / "share" / "modulefiles"
    commands = run("modulecmd", "sh", "load", "tightwire", MODULEPATH=str(module))
    found = run("sh", "-c", f"{commands}\ncommand -v tightwire; echo $TIGHTWIRE_ROOT")
    assert found.splitlines() == [str(prefix / "bin" / "tightwire"), str(prefix)]


PROGRAM = """
#include <stdio.h>
#include <tightwire_codec.h>
int main(void) { printf("version %u\\n", tightwire_codec_version()); return 0; }
"""
PROJECT = """
cmake_minimum_required(VERSION 3.20)
project(user C)
find_package(tightwire_codec 0.1 REQUIRED)
add_executable(shared main.c)
target_link_libraries(shared PRIVATE tightwire::codec)
add_executable(archive main.c)
target_link_libraries(archive PRIVATE tightwire::codec_static)
"""


def test_find_package(prefix, run, tmp_path):
    (tmp_path / "main.c").write_text(PROGRAM)
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    run("cmake", "-G", "Ninja", "-B", "b", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", "b")
    assert run("b/shared") == run("b/archive") == "version 100\n"


def test_pkg_config(prefix, run, tmp_path):
    if shutil.which("pkg-config") is None:
        pytest.skip("no pkg-config here")
    (tmp_path / "main.c").write_text(PROGRAM)
    path = str(prefix / "lib" / "pkgconfig")
    flags = run("pkg-config", "--cflags", "--libs", "tightwire_codec", PKG_CONFIG_PATH=path)
    run("cc", "main.c", "-o", "user", *flags.split())
    assert run("./user", LD_LIBRARY_PATH=str(prefix / "lib")) == "version 100\n"
