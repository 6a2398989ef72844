#!/usr/bin/env python3
"""Check that the rooms of src/ include only rooms below them.

The tables of rooms in docs/dev/architecture.md say which rooms there are, from top to bottom, and
which of them know MPI. A room may include the rooms that stand lower than itself; rooms of one
floor stand side by side and do not include each other. A room that knows no MPI includes neither
<mpi.h> nor a room that knows it.
"""

import argparse
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = Path("docs/dev/architecture.md")
SEARCHED = ("src", "include")  # the folders that the compilers look for headers in
CHECKED = ("src", "include")
SOURCES = {".c", ".cpp", ".h", ".inc", ".def", ".in"}
INCLUDE = re.compile(r'\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


@dataclass
class Rooms:
    """The tables: each room's floor, counted from the top, and what else they say of it."""

    floors: dict[str, int] = field(default_factory=dict)
    know_mpi: set[str] = field(default_factory=set)

    def of(self, file: Path) -> str | None:
        """The room that a file is in: itself or the folder nearest to it that the tables name."""
        names = [str(path) for path in (file, *file.parents)]
        return next((name for name in names if name in self.floors), None)


def table_after(text: str, mark: str) -> list[list[str]]:
    """The rows of the table between <!-- begin: mark --> and <!-- end: mark -->."""
    found = re.search(rf"<!-- begin: {mark} -->\n(.*?)<!-- end: {mark} -->", text, re.DOTALL)
    if not found:
        raise ValueError(f"{TABLE} has no table between 'begin: {mark}' and 'end: {mark}'")
    lines = [line for line in found[1].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def folders_in(cell: str) -> list[str]:
    return [name.rstrip("/") for name in re.findall(r"`([^`]+)`", cell)]


def read_rooms(text: str) -> Rooms:
    """The table of the rooms in the text of the page."""
    rooms = Rooms()
    for floor, name, knows_mpi, *_ in table_after(text, "rooms"):
        for folder in folders_in(name):
            rooms.floors[folder] = int(floor)
            if knows_mpi == "yes":
                rooms.know_mpi.add(folder)
    return rooms


def read_sub_rooms(text: str) -> dict[str, Rooms]:
    """For each room that is divided, its sub-rooms in the order in which they may include."""
    divided = {}
    for name, order, *_ in table_after(text, "sub-rooms"):
        (room,) = folders_in(name)
        floors = {
            f"{room}/{folder}": floor
            for floor, step in enumerate(order.split("→"))
            for folder in folders_in(step)
        }
        divided[room] = Rooms(floors)
    return divided


@dataclass(frozen=True)
class Include:
    file: Path
    line: int
    name: str
    quoted: bool


def sources(root: Path) -> Iterator[Path]:
    for top in CHECKED:
        for file in sorted((root / top).rglob("*")):
            if file.suffix in SOURCES and file.is_file():
                yield file.relative_to(root)


def includes_of(root: Path, file: Path) -> Iterator[Include]:
    for number, line in enumerate((root / file).read_text(encoding="utf-8").splitlines(), 1):
        if found := INCLUDE.match(line):
            yield Include(file, number, found[1] or found[2], bool(found[1]))


def target_of(root: Path, include: Include) -> Path | None:
    """The file that is included; a file that CMake configures is found by its template."""
    folders = [include.file.parent, *map(Path, SEARCHED)]
    for folder in folders:
        path = Path(os.path.normpath(folder / include.name))
        for candidate in (path, Path(f"{path}.in")):
            if (root / candidate).is_file():
                return candidate
    return None


def wrong_way(rooms: Rooms, source: str, target: str) -> str | None:
    """What is wrong with an arrow between two rooms of one table."""
    if source == target or rooms.floors[source] < rooms.floors[target]:
        return None
    where = "beside" if rooms.floors[source] == rooms.floors[target] else "above"
    return f"{source} includes {target}, which stands {where} it"


def problem_between(rooms: Rooms, file: Path, target: Path) -> str | None:
    source_room, target_room = rooms.of(file), rooms.of(target)
    if not source_room or not target_room:
        return f"{file if not source_room else target} is in no room that the table names"
    if wrong := wrong_way(rooms, source_room, target_room):
        return wrong
    if target_room in rooms.know_mpi and source_room not in rooms.know_mpi:
        return f"{source_room} knows no MPI, but includes {target_room}, which does"
    return None


def problem_inside(divided: dict[str, Rooms], file: Path, target: Path) -> str | None:
    for sub_rooms in divided.values():
        source, included = sub_rooms.of(file), sub_rooms.of(target)
        if source and included and (wrong := wrong_way(sub_rooms, source, included)):
            return wrong
    return None


def problem_of(root: Path, rooms: Rooms, divided: dict[str, Rooms], include: Include) -> str | None:
    if not include.quoted:
        knows = rooms.of(include.file) in rooms.know_mpi
        return None if include.name != "mpi.h" or knows else "the room must not know MPI"
    target = target_of(root, include)
    if target is None:
        return "there is no such file"
    found = problem_between(rooms, include.file, target)
    return found or problem_inside(divided, include.file, target)


def folders_of(root: Path, parent: str) -> set[str]:
    folders = {path for path in (root / parent).iterdir() if path.is_dir()}
    return {f"{parent}/{path.name}" for path in folders if path.name != "__pycache__"}


def stale_rows(root: Path, rooms: Rooms, parent: str) -> list[str]:
    """What the table lacks of the folders, and what it has that is not there."""
    there, listed = folders_of(root, parent), set(rooms.floors)
    lacking = [f"{TABLE}: {name} has no row" for name in sorted(there - listed)]
    gone = sorted(name for name in listed if not (root / name).exists())
    return lacking + [f"{TABLE}: there is no {name}" for name in gone]


def problems(root: Path) -> list[str]:
    text = (root / TABLE).read_text(encoding="utf-8")
    rooms, divided = read_rooms(text), read_sub_rooms(text)
    found = stale_rows(root, rooms, "src")
    for room, sub_rooms in divided.items():
        found += stale_rows(root, sub_rooms, room)
    for file in sources(root):
        for include in includes_of(root, file):
            if problem := problem_of(root, rooms, divided, include):
                found.append(f'{file}:{include.line}: "{include.name}": {problem}')
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Check the includes of src/ against the rooms.")
    parser.add_argument("root", nargs="?", type=Path, default=ROOT)
    try:
        found = problems(parser.parse_args().root)
    except (OSError, ValueError) as problem:
        sys.exit(f"check_arrows: {problem}")
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
