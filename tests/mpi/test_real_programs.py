"""Programs that others wrote: in exact mode their output is the same, byte for byte."""

import json
import re
import shutil

import pytest
from harness import Family, Part

SETTINGS = {"same-host": "compress", "point-to-point": "on", "mode": "exact"}


@pytest.fixture
def openmpi(build_folder) -> Family:
    """What Debian's packages are built for."""
    family = Family("openmpi", build_folder)
    if reason := family.why_not():
        pytest.skip(reason)
    return family


@pytest.mark.parametrize("script", ["melt", "salt"])
def test_lammps(openmpi, tmp_path, request, script):
    if shutil.which("lmp") is None:
        pytest.skip("lmp is not installed: apt-get install lammps")
    source = request.config.rootpath / "bench" / "programs" / f"{script}.lammps"
    report = tmp_path / "report.json"
    audit = tmp_path / "audit.json"
    under = {
        "plain": {},
        "tightwire": openmpi.preload({**SETTINGS, "report": str(report)}),
        "audit": openmpi.preload({"audit": str(audit), "host-ranks": "1"}),
    }
    outputs = []
    for name, environment in under.items():
        dump = tmp_path / name
        command = ["lmp", "-in", str(source), "-log", "none"]
        for variable, value in {"cells": 8, "steps": 10, "dump": dump}.items():
            command += ["-var", variable, str(value)]
        printed = openmpi.run(Part(3, command, environment), limit=200).must_succeed().stdout
        steps = [line for line in printed.splitlines() if line.split()[:1] in (["0"], ["10"])]
        outputs.append((steps, dump.read_bytes()))
    assert len(outputs[0][0]) == 2
    assert outputs[0] == outputs[1] == outputs[2]
    assert json.loads(report.read_text()) != {}
    assert json.loads(audit.read_text())["calls"]


def test_cp2k(openmpi, tmp_path, request):
    """Two ranks, whose sums are the same in any order: energies in all digits, and orbitals."""
    if shutil.which("cp2k.psmp") is None:
        pytest.skip("cp2k.psmp is not installed: apt-get install cp2k")
    source = request.config.rootpath / "bench" / "programs" / "water.cp2k"
    command = ["cp2k.psmp", "-E", "SCF_STEPS=2", "-i", str(source)]
    report = tmp_path / "report.json"
    under = {
        "plain": {},
        "default": openmpi.preload({"same-host": "compress"}),
        "exact": openmpi.preload({**SETTINGS, "report": str(report)}),
    }
    outputs = []
    for name, environment in under.items():
        folder = tmp_path / name
        folder.mkdir()
        part = Part(2, command, environment | {"OMP_NUM_THREADS": "1"})
        printed = openmpi.run(part, limit=200, folder=folder).must_succeed().stdout
        energy = re.findall(r"^ ENERGY\|.*?(-?[\d.]+)$", printed, re.MULTILINE)
        outputs.append((energy, (folder / "water-RESTART.wfn").read_bytes()))
    assert len(outputs[0][0]) == 1
    assert outputs[0] == outputs[1] == outputs[2]
    rows = json.loads(report.read_text())["collectives"]
    assert any(row["bytes_after"] < row["bytes_before"] for row in rows)


def test_cp2k_within_a_bound(openmpi, tmp_path, request):
    """Grids with 1e99 where there is nothing, as fill values: rounded to a part of that range, they
    have the second step's energy off by 55."""
    if shutil.which("cp2k.psmp") is None:
        pytest.skip("cp2k.psmp is not installed: apt-get install cp2k")
    source = request.config.rootpath / "bench" / "programs" / "water.cp2k"
    command = ["cp2k.psmp", "-E", "SCF_STEPS=2", "-i", str(source)]
    found = []
    for settings in ({}, {"same-host": "compress", "error-bound": "rel:1e-9"}):
        environment = openmpi.preload(settings) if settings else openmpi.plain()
        part = Part(2, command, environment | {"OMP_NUM_THREADS": "1"})
        printed = openmpi.run(part, limit=200, folder=tmp_path).must_succeed().stdout
        found.append(float(re.search(r"^ ENERGY\|.*?(-?[\d.]+)$", printed, re.MULTILINE)[1]))
    plain, within = found
    assert within == pytest.approx(plain, abs=1e-4, rel=0)
    assert within != plain


def energies(printed):
    """Of an atom, at every tenth step."""
    lines = [line.split() for line in printed.splitlines()]
    return [float(words[4]) for words in lines if words[:1] in (["0"], ["10"], ["20"])]


@pytest.mark.parametrize("script", ["melt", "salt"])
def test_lammps_within_a_bound(openmpi, tmp_path, request, script):
    """Every message, whatever its size; the atoms off their lattice, on which any error counts."""
    if shutil.which("lmp") is None:
        pytest.skip("lmp is not installed: apt-get install lammps")
    source = request.config.rootpath / "bench" / "programs" / f"{script}.lammps"
    command = ["lmp", "-in", str(source), "-log", "none"]
    values = {"cells": 8, "steps": 20, "dump": tmp_path / "dump", "jitter": 0.1}
    for variable, value in values.items():
        command += ["-var", variable, str(value)]
    bound = 1e-5
    settings = {**SETTINGS, "mode": "bounded", "error-bound": str(bound)}
    plain, within = (
        energies(openmpi.run(Part(3, command, environment), limit=200).must_succeed().stdout)
        for environment in ({}, openmpi.preload(settings))
    )
    assert len(plain) == 3
    # The forces are some tens, and a pair more or less at a border is as much.
    assert within == pytest.approx(plain, abs=50 * bound, rel=0)
    assert within != plain
