"""libtightwire_codec as others use it: installed, found by pkg-config, linked into a C program."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TIGHTWIRE_BUILD", ROOT / "build"))


def output(*command, **options):
    return subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=120, **options
    ).stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prefix")
    output("cmake", "--install", BUILD, "--component", "codec", "--prefix", folder)
    return folder


def library(prefix, name):
    (found,) = prefix.glob(f"lib*/**/{name}")
    return found


def test_shows_the_c_api_alone(prefix):
    shared = library(prefix, "libtightwire_codec.so")
    symbols = output("nm", "-D", "--defined-only", shared).split()[2::3]
    header = (prefix / "include" / "tightwire_codec.h").read_text()
    assert len(symbols) >= 12
    for symbol in symbols:
        assert f"{symbol}(" in header, f"{symbol} is not in the header"


def test_needs_only_the_system(prefix):
    dynamic = output("readelf", "-d", library(prefix, "libtightwire_codec.so"))
    lines = [line for line in dynamic.splitlines() if "NEEDED" in line]
    needed = {line.split("[")[1].split(".so")[0] for line in lines}
    assert needed <= {"libstdc++", "libm", "libgcc_s", "libc", "ld-linux-x86-64"}


@pytest.mark.parametrize("static", [False, True], ids=["shared", "static"])
def test_example_builds_as_c11_and_runs(prefix, tmp_path, static):
    folder = library(prefix, "tightwire_codec.pc").parent
    environment = {**os.environ, "PKG_CONFIG_PATH": str(folder)}
    define = f"--define-variable=prefix={prefix}"
    ask = ["pkg-config", define, "--cflags", "--libs", "tightwire_codec"]
    flags = output(*ask, *(["--static"] if static else []), env=environment).split()
    if static:
        archive = str(library(prefix, "libtightwire_codec.a"))
        flags = [archive if flag == "-ltightwire_codec" else flag for flag in flags]
    program = tmp_path / "example"
    source = ROOT / "examples" / "01_codec.c"
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    output("cc", "-std=c11", *warnings, source, "-o", program, *flags, "-lm")
    environment["LD_LIBRARY_PATH"] = str(folder.parent)
    text = output(program, env=environment)
    assert "a ratio of" in text
