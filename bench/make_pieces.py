"""Makes all of results/ anew, in pieces: the files of bench/pieces.toml, all of one commit.

Without a PIECE, all whose files are not of this commit yet, but for those whose figures are of more
cores than this machine has. A piece that was cut goes on at the
step where that happened. Its files come to results/ when all of it has ended well, and
results/provenance.csv says which commit made them, where and by what commands."""

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path

import provenance
from pieces import Piece, Progress, read_pieces


def parse(known: dict[str, Piece]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./run results",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("pieces", nargs="*", metavar="PIECE", help="; ".join(known))
    add(
        "--list", action="store_true", help="say what there is, of which commit; of PIECEs also how"
    )
    add("--again", action="store_true", help="also what is of this commit already")
    add("--uncommitted", action="store_true", help="although there are changes beside the commit")
    add("--root", type=Path, default=provenance.ROOT, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if unknown := [name for name in options.pieces if name not in known]:
        parser.error(f"no piece '{unknown[0]}'; there are {', '.join(known)}")
    return options


def commits_of(piece: Piece, rows: list[provenance.Row]) -> list[str]:
    """Of all that its files hold; a file that is not there has none, told as '-'."""
    found = []
    for file in piece.files:
        found += [row["commit"] for row in rows if row["file"] == file] or ["-"]
    return list(dict.fromkeys(found))


def is_made(piece: Piece, rows: list[provenance.Row], commit: str) -> bool:
    noted = all(row["processor"] for row in rows if row["file"] in piece.files)
    return noted and commit[-1] != "+" and commits_of(piece, rows) == [commit]


def print_list(
    pieces: list[Piece], rows: list[provenance.Row], commit: str, with_steps: bool
) -> None:
    print(f"this commit: {commit}")
    for piece in pieces:
        of = ", ".join(commits_of(piece, rows))
        state = "made" if is_made(piece, rows, commit) else f"of {of}"
        needs = f", needs {piece.cores} cores" if piece.cores > provenance.cores() else ""
        print(f"{piece.name:20} {piece.minutes:3} min  {state}{needs}")
        for step in piece.steps if with_steps else ():
            print(f"    {step}")


class Maker:
    def __init__(self, root: Path, made: provenance.Row):
        self.root, self.made = root, made
        self.results = root / "results"

    def make(self, piece: Piece) -> bool:
        """False if a step failed; then it has been said."""
        folder = self.results / "scratch" / "pieces" / piece.name
        progress = Progress(folder, piece, self.made)
        if progress.done == 0:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            progress.write()
        commands = piece.commands(folder)
        for number, command in enumerate(commands[progress.done :], progress.done + 1):
            print(f"== {piece.name}, step {number} of {len(commands)}: {' '.join(command)}")
            sys.stdout.flush()
            code = subprocess.run(command, cwd=self.root).returncode
            if code != 0:
                print(f"results: {piece.name}: step {number} ended with {code}", file=sys.stderr)
                return False
            progress.advance()
        return self.take(piece, folder, progress.made)

    def take(self, piece: Piece, folder: Path, made: provenance.Row) -> bool:
        if missing := [file for file in piece.files if not (folder / file).exists()]:
            print(f"results: {piece.name} did not make {', '.join(missing)}", file=sys.stderr)
            return False
        for file in piece.files:
            shutil.move(folder / file, self.results / file)
        changed = {file: provenance.digest(self.results / file) for file in piece.files}
        provenance.note(self.results, changed, piece.said(), made, whole=True)
        shutil.rmtree(folder)
        return True


def main() -> None:
    known = read_pieces(Path(__file__).with_name("pieces.toml"))
    options = parse(known)
    root = options.root.resolve()
    chosen = [known[name] for name in options.pieces or known]
    made = {"commit": provenance.commit(root)}
    rows = provenance.read(root / "results")
    if options.list:
        return print_list(chosen, rows, made["commit"], bool(options.pieces))
    if made["commit"].endswith("+") and not options.uncommitted:
        sys.exit("results: there are changes that are in no commit; commit them, or --uncommitted")
    made = provenance.environment() | made
    wanted = [p for p in chosen if options.again or not is_made(p, rows, made["commit"])]
    too_large = [p for p in wanted if p.cores > provenance.cores()]
    for piece in too_large:
        print(f"{piece.name} needs {piece.cores} cores, this machine has {provenance.cores()}")
    if options.pieces and too_large:
        sys.exit(f"results: not made: {', '.join(piece.name for piece in too_large)}")
    wanted = [p for p in wanted if p not in too_large]
    minutes = sum(piece.minutes for piece in wanted)
    of_this = len(chosen) - len(wanted) - len(too_large)
    print(f"{of_this} of {len(chosen)} pieces are of {made['commit']} already")
    maker, failed, start = Maker(root, made), [], time.monotonic()
    for number, piece in enumerate(wanted):
        spent = (time.monotonic() - start) / 60
        print(f"== {number} of {len(wanted)} pieces, {spent:.0f} of some {minutes} min", flush=True)
        if not maker.make(piece):
            failed.append(piece.name)
    if failed:
        sys.exit(f"results: not made: {', '.join(failed)}; again, it goes on where they stopped")


if __name__ == "__main__":
    main()
