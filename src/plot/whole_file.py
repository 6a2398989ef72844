"""Files that are written whole or not at all, and take nobody else's place, as src/os/whole_file.h
says it."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


class IrregularFileError(Exception):
    """Something is there that is no regular file."""


def mode_there(path: Path) -> int | None:
    """Of the file that is to be replaced. Only a regular one is, as with all that Tightwire writes:
    see src/os/whole_file.h."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(mode):
        raise IrregularFileError(
            f"cannot write {path}: it is a symbolic link, which is not followed"
        )
    if not stat.S_ISREG(mode):
        raise IrregularFileError(f"cannot write {path}: it is not a regular file")
    return stat.S_IMODE(mode) & 0o777


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A new file that takes the place of the old one, and its mode, when it is whole."""
    mode = mode_there(path)
    partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    new = os.O_WRONLY | os.O_CREAT | os.O_EXCL  # never one that was there, nor through a link
    descriptor = os.open(partial, new, 0o666 if mode is None else mode)
    try:
        with open(descriptor, "wb") as file:
            yield file
            if mode is not None:
                os.fchmod(descriptor, mode)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
