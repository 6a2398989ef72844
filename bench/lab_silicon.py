"""Quantum ESPRESSO over hosts of the lab, as Debian packages it: silicon."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from lab_programs import Program

# Debian has no pseudopotentials: Quantum ESPRESSO's own ld1.x makes one, in a second.
PSEUDOPOTENTIAL = """ &input
   title='Si', zed=14., rel=0, config='[Ne] 3s2 3p2 3d-2', iswitch=3, dft='PZ'
 /
 &inputp
   pseudotype=1, file_pseudopw='Si.UPF', lloc=2, tm=.true.
 /
3
3S 1 0 2.00 0.00 2.20 2.20
3P 2 1 2.00 0.00 2.20 2.20
3D 3 2 -2.00 0.15 2.20 2.20
"""
SILICON = """&control
  calculation = 'scf', prefix = 'si', outdir = '{folder}/out', pseudo_dir = '{folder}'
  disk_io = 'none'
/
&system
  ibrav = 1, celldm(1) = {size}, nat = {atoms}, ntyp = 1, ecutwfc = 16
/
&electrons
  electron_maxstep = {steps}, conv_thr = 1e-14, scf_must_converge = .false.
/
ATOMIC_SPECIES
Si 28.086 Si.UPF
ATOMIC_POSITIONS crystal
{positions}
K_POINTS gamma
"""


def energies(text: str) -> bytes:
    """What was worked out, of which nothing is a time."""
    found = re.findall(r"(?i)total energy *[=:] *(-?[\d.]+)", text)
    if not found:
        sys.exit(f"bench: no energy in:\n{text[-2000:]}")
    return "\n".join(found).encode()


class QuantumEspresso(Program):
    """A cube of `cells`^3 cells of silicon, moved a little so that nothing is symmetric."""

    name = "quantum-espresso"
    binary = "pw.x"
    package = "quantum-espresso"
    size = 10.26  # Bohr
    bound = "rel:1e-6"
    allowed = 1e-2  # Ry, of energies that have not converged

    def __init__(self, cells: int, steps: int):
        self.cells, self.steps = cells, steps

    def positions(self) -> list[str]:
        corners = [(0, 0, 0), (0, 2, 2), (2, 0, 2), (2, 2, 0)]
        basis = corners + [(x + 1, y + 1, z + 1) for x, y, z in corners]
        span = range(self.cells)
        moved = 0.003
        atoms = []
        for cell in [(x, y, z) for x in span for y in span for z in span]:
            for number, atom in enumerate(basis):
                at = [(c + a / 4) / self.cells for c, a in zip(cell, atom, strict=True)]
                at[number % 3] += moved * (number + 1) / 8
                atoms.append("Si " + " ".join(f"{x:.8f}" for x in at))
        return atoms

    def command(self, folder: Path) -> list[str]:
        made = subprocess.run(
            ["ld1.x"], input=PSEUDOPOTENTIAL, cwd=folder, capture_output=True, text=True
        )
        if not (folder / "Si.UPF").exists():
            sys.exit(f"bench: ld1.x made no pseudopotential:\n{made.stdout[-2000:]}{made.stderr}")
        atoms = self.positions()
        values = {"folder": folder, "size": self.size * self.cells, "atoms": len(atoms)}
        values |= {"steps": self.steps, "positions": "\n".join(atoms)}
        (folder / "si.in").write_text(SILICON.format(**values))
        return [self.binary, "-in", str(folder / "si.in")]

    def result(self, folder: Path, printed: str) -> tuple[float, float | None, bytes]:
        seconds = re.search(r"^ *electrons *:.* ([\d.]+)s WALL", printed, re.MULTILINE)
        return float(seconds[1]) if seconds else 0.0, None, energies(printed)

    def values(self, output: bytes) -> Sequence[float]:
        return [float(line) for line in output.splitlines()]
