#!/usr/bin/env python3
"""tightwire timeline: makes one trace of those that the ranks of a job have written (--timeline),
for Perfetto (ui.perfetto.dev), chrome://tracing or speedscope. Their clocks are aligned already."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from whole_file import IrregularFileError, replacing

FORMAT = 1
BEGIN = b'"traceEvents":['
END = b"]}"


class TimelineError(Exception):
    """What is wrong, for the user."""


@dataclass(frozen=True)
class Part:
    path: Path
    about: dict[str, Any]

    @property
    def rank(self) -> int:
        return self.about["rank"]


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tightwire timeline", description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE.rank*.json")
    parser.add_argument("-o", "--output", type=Path, required=True, help="trace to write")
    return parser.parse_args()


def damaged(path: Path) -> TimelineError:
    return TimelineError(f"{path} is cut off or damaged; run the job again with --timeline")


def foreign(path: Path) -> TimelineError:
    return TimelineError(f"{path} is no timeline of a rank; --timeline FILE writes them")


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise TimelineError(f"cannot read {path}: {error.strerror}") from error


def read_part(path: Path) -> Part:
    """A part by its first line, which says what it is of."""
    with opened(path) as file:
        first = file.readline(1 << 16)
    try:
        about = json.loads(first.rstrip().removesuffix(b",") + b"}")["otherData"]
        version, rank, ranks = about["timeline"], about["rank"], about["ranks"]
        about["job"], about["ended_by"], about["events_lost"]
    except (ValueError, KeyError, TypeError):
        raise foreign(path) from None
    if version != FORMAT:
        raise TimelineError(f"{path} is of another version of Tightwire; run the job again")
    if not (isinstance(rank, int) and isinstance(ranks, int) and 0 <= rank < ranks):
        raise damaged(path)
    return Part(path, about)


def must_be_of_one_job(parts: list[Part]) -> None:
    first = parts[0]
    seen: dict[int, Path] = {}
    for part in parts:
        if part.about["job"] != first.about["job"]:
            raise TimelineError(f"{first.path} and {part.path} are of two different jobs")
        if part.rank in seen:
            raise TimelineError(f"{seen[part.rank]} and {part.path} are both of rank {part.rank}")
        seen[part.rank] = part.path


def is_event(event: object) -> bool:
    if not isinstance(event, dict) or event.get("ph") not in ("X", "M"):
        return False
    times = ("ts", "dur") if event["ph"] == "X" else ()
    return (
        isinstance(event.get("name"), str)
        and all(isinstance(event.get(key), int) for key in ("pid", "tid"))
        and all(isinstance(event.get(key), int | float) for key in times)
    )


def events_of(part: Part) -> Iterator[bytes]:
    """The events of a part, one in a line, each looked at."""
    with opened(part.path) as file:
        file.readline()
        if file.readline().rstrip() != BEGIN:
            raise damaged(part.path)
        for line in file:
            if line.rstrip() == END:
                return
            event = line.rstrip().removesuffix(b",")
            try:
                if not is_event(json.loads(event)):
                    raise damaged(part.path)
            except ValueError:
                raise damaged(part.path) from None
            yield event
    raise damaged(part.path)


def merged(parts: list[Part]) -> Iterator[bytes]:
    about = {
        "timeline": FORMAT,
        "tightwire": parts[0].about.get("tightwire"),
        "job": parts[0].about["job"],
        "ranks": parts[0].about["ranks"],
        "events_lost": {str(part.rank): part.about["events_lost"] for part in parts},
    }
    yield b'{"displayTimeUnit":"ms","otherData":' + json.dumps(about).encode() + b",\n"
    yield BEGIN + b"\n"
    between = b""
    for part in parts:
        for event in events_of(part):
            yield between + event
            between = b",\n"
    yield b"\n" + END + b"\n"


def remarks(parts: list[Part]) -> Iterator[str]:
    missing = sorted(set(range(parts[0].about["ranks"])) - {part.rank for part in parts})
    if missing:
        yield f"of {parts[0].about['ranks']} ranks these are missing: {missing}"
    for part in parts:
        if part.about["events_lost"]:
            yield (
                f"rank {part.rank}: the first {part.about['events_lost']} events gave way to later "
                "ones; timeline-memory makes room for more"
            )
        if part.about["ended_by"]:
            yield f"rank {part.rank} was ended by {part.about['ended_by']}"


def main() -> None:
    options = parse()
    try:
        parts = sorted((read_part(path) for path in options.files), key=lambda part: part.rank)
        must_be_of_one_job(parts)
        with replacing(options.output) as file:
            for text in merged(parts):
                file.write(text)
    except (TimelineError, IrregularFileError) as error:
        sys.exit(f"tightwire timeline: {error}")
    except OSError as error:
        sys.exit(f"tightwire timeline: cannot write {options.output}: {error.strerror}")
    for remark in remarks(parts):
        print(f"tightwire timeline: {remark}", file=sys.stderr)
    print(options.output)


if __name__ == "__main__":
    main()
