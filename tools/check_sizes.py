#!/usr/bin/env python3
"""Check the sizes in src/: files in a folder, lines in a file; the median function is printed.

A folder of src/ has at most 20 files directly in it, a file at most 300 lines, and the median
function at most 8 lines, from its name to its closing brace.
"""

import argparse
import re
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST_FILES = 20
MOST_LINES = 300
LONGEST_MEDIAN = 8
NOT_CODE = re.compile(
    r"//[^\n]*|/\*.*?\*/|R\"(\w*)\(.*?\)\1\"|\"(?:\\.|[^\"\\\n])*\"|(?<!\d)'(?:\\.|[^'\\\n])*'",
    re.DOTALL,
)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
STATEMENT = re.compile(r"\b(if|for|while|switch|catch|else|do|try|requires)\b")
PARAMETERS = re.compile(r"[\w>\]=+\-*/!<&|^%~)]\s*\(")
KINDS = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b[^()=;]*$")


def blank(match: re.Match[str]) -> str:
    """What is no code becomes blanks; lines stay where they are."""
    return re.sub(r"[^\n]", " ", match[0])


def code_of(text: str) -> str:
    return DIRECTIVE.sub(blank, NOT_CODE.sub(blank, text))


def closing_brace(code: str, opening: int) -> int:
    depth = 0
    for place in range(opening, len(code)):
        depth += {"{": 1, "}": -1}.get(code[place], 0)
        if depth == 0:
            return place
    return len(code) - 1


def end_of_body(code: str, opening: int) -> int:
    """The closing brace of a function's body; braces of a constructor's members come before it."""
    closing = closing_brace(code, opening)
    while code[closing + 1 : closing + 100].lstrip()[:1] in ("{", ","):
        closing = closing_brace(code, code.index("{", closing + 1))
    return closing


def is_function(head: str) -> bool:
    """Whether what stands before a brace, at namespace or class scope, heads a function's body."""
    if STATEMENT.match(head.strip()) or not PARAMETERS.search(head):
        return False
    return not re.search(r"=\s*(\[.*)?$", head) and not KINDS.search(head)


def next_head(code: str, place: int, end: int) -> tuple[int, str, int] | None:
    """The next brace from a place on that opens something, with what heads it and where."""
    start, depth = place, 0
    for at in range(place, end):
        sign = code[at]
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth == 0 and sign in ";}":
            start = at + 1
        elif depth == 0 and sign == "{":
            return start, code[start:at], at
    return None


def functions(code: str, place: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """First and last line of each function; those inside functions count with these."""
    end = len(code) if end is None else end
    while found := next_head(code, place, end):
        start, head, opening = found
        function = is_function(head)
        closing = end_of_body(code, opening) if function else closing_brace(code, opening)
        if function:
            first = start + len(head) - len(head.lstrip())
            yield code.count("\n", 0, first) + 1, code.count("\n", 0, closing) + 1
        elif KINDS.search(head):
            yield from functions(code, opening + 1, closing)
        place = closing + 1


def cxx_files(root: Path) -> list[Path]:
    return sorted(path for path in (root / "src").rglob("*") if path.suffix in {".cpp", ".h"})


def function_lengths(root: Path) -> list[int]:
    codes = (code_of(path.read_text(encoding="utf-8")) for path in cxx_files(root))
    return [last - first + 1 for code in codes for first, last in functions(code)]


def full_folders(root: Path) -> Iterator[str]:
    for folder in sorted(path for path in (root / "src").rglob("*") if path.is_dir()):
        count = sum(path.is_file() for path in folder.iterdir())
        if count > MOST_FILES and folder.name != "__pycache__":
            yield f"{folder.relative_to(root)}: {count} files, at most {MOST_FILES} may be there"


def long_files(root: Path) -> Iterator[str]:
    for path in sorted(path for path in (root / "src").rglob("*") if path.is_file()):
        if path.suffix == ".pyc":
            continue
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > MOST_LINES:
            yield f"{path.relative_to(root)}: {lines} lines, at most {MOST_LINES} may be there"


def long_functions(root: Path) -> Iterator[str]:
    lengths = function_lengths(root)
    median = statistics.median(lengths) if lengths else 0
    print(f"{len(lengths)} functions, median of {median:g} lines")
    if median > LONGEST_MEDIAN:
        yield f"the median function has {median:g} lines, at most {LONGEST_MEDIAN} are wanted"


def problems(root: Path) -> list[str]:
    return [*full_folders(root), *long_files(root), *long_functions(root)]


def main() -> None:
    parser = argparse.ArgumentParser(description="Check the sizes of folders, files and functions.")
    parser.add_argument("root", nargs="?", type=Path, default=ROOT)
    found = problems(parser.parse_args().root)
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
