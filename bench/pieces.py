"""The pieces that make results/: pieces.toml, and how far each has come."""

import json
import shlex
import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Piece:
    name: str
    minutes: int
    files: tuple[str, ...]
    steps: tuple[str, ...]
    cores: int = 1  # that its figures are of

    def commands(self, folder: Path) -> list[list[str]]:
        return [shlex.split(step.replace("{to}", str(folder))) for step in self.steps]

    def said(self) -> str:
        """Its steps as one line, without where they write to."""
        plain = (step.replace(" --results {to}", "").replace("{to}/", "") for step in self.steps)
        return "; ".join(plain)


def read_pieces(file: Path) -> dict[str, Piece]:
    with file.open("rb") as text:
        return {
            name: Piece(
                name, of["minutes"], tuple(of["files"]), tuple(of["steps"]), of.get("cores", 1)
            )
            for name, of in tomllib.load(text).items()
        }


class Progress:
    """What a piece's folder holds already: steps that ended well, of which commit. Another commit,
    or other steps, begin anew."""

    def __init__(self, folder: Path, piece: Piece, made: dict[str, str]):
        self.folder, self.file = folder, folder / "progress.json"
        self.state = {"steps": list(piece.steps), "made": made, "done": 0}
        if self.file.exists():
            before = json.loads(self.file.read_text())
            same = before["steps"] == self.state["steps"]
            if same and before["made"]["commit"] == made["commit"]:
                self.state = before

    @property
    def done(self) -> int:
        return self.state["done"]

    @property
    def made(self) -> dict[str, str]:
        return self.state["made"]

    def advance(self) -> None:
        self.state["done"] += 1
        self.write()

    def write(self) -> None:
        partial = self.file.with_suffix(".partial")
        partial.write_text(json.dumps(self.state))
        partial.replace(self.file)
