#!/usr/bin/env python3
"""Makes an ELF file that was linked with one MPI serve every MPI with the same binary interface.

usage: serve_any_mpi.py FILE...     edits the files (64-bit, little-endian)

What it needs of MPI it then takes from the process: the MPI that the program is linked to, or that
the launcher loads with it (src/cli/launch/mpi_library.h). So two things change:

- no MPI library is needed by name any more: the name differs (libmpich.so.12, libmpi.so.12);
- in a library MPI's symbols become weak: a program without MPI, such as a shell, starts with the
  library in it, and an older MPI may lack a function that nobody calls.
"""

import re
import struct
import sys
from pathlib import Path

MPI_LIBRARY = re.compile(rb"libmpi.*\.so\..*")
MPI_SYMBOL = re.compile(rb"(P?MPIX?_|ompi_|OMPI_|MPIR_)")

PT_LOAD, PT_DYNAMIC, PT_INTERP = 1, 2, 3
DT_NULL, DT_NEEDED, DT_STRTAB, DT_SYMTAB, DT_GNU_HASH = 0, 1, 5, 6, 0x6FFFFEF5
STB_GLOBAL, STB_WEAK = 1, 2
ENTRY, SYMBOL = struct.Struct("<qQ"), struct.Struct("<IBBHQQ")


class Elf:
    """A file's dynamic section and the symbols that it lists."""

    def __init__(self, data: bytearray):
        if data[:6] != b"\x7fELF\x02\x01":
            raise ValueError("not a 64-bit, little-endian ELF file")
        self.data = data
        (table,) = struct.unpack_from("<Q", data, 32)
        size, count = struct.unpack_from("<HH", data, 54)
        segments = [struct.unpack_from("<IIQQQQ", data, table + i * size) for i in range(count)]
        self.loaded = [(s[3], s[2], s[5]) for s in segments if s[0] == PT_LOAD]
        self.is_program = any(s[0] == PT_INTERP for s in segments)
        found = [s for s in segments if s[0] == PT_DYNAMIC]
        if not found:
            raise ValueError("linked statically")
        self.dynamic, self.dynamic_size = found[0][2], found[0][5]
        self.strings = self.offset(self.value(DT_STRTAB))

    def offset(self, address: int) -> int:
        for start, at, size in self.loaded:
            if start <= address < start + size:
                return at + address - start
        raise ValueError(f"nothing of the file is loaded at address {address:#x}")

    def entries(self) -> list[tuple[int, int]]:
        part = self.data[self.dynamic : self.dynamic + self.dynamic_size]
        return list(ENTRY.iter_unpack(part))

    def value(self, tag: int) -> int:
        return next(value for one, value in self.entries() if one == tag)

    def text(self, at: int) -> bytes:
        begin = self.strings + at
        return bytes(self.data[begin : self.data.index(0, begin)])

    def drop_needed(self) -> list[bytes]:
        """The entries behind those that go move up; the section ends with more empty ones."""
        kept, gone = [], []
        for tag, value in self.entries():
            if tag == DT_NEEDED and MPI_LIBRARY.fullmatch(self.text(value)):
                gone.append(self.text(value))
            else:
                kept.append((tag, value))
        kept += [(DT_NULL, 0)] * len(gone)
        self.data[self.dynamic : self.dynamic + self.dynamic_size] = b"".join(
            ENTRY.pack(*one) for one in kept
        )
        return gone

    def weaken(self) -> list[bytes]:
        """Undefined symbols stand before those that the hash table lists: its second word says
        where they end."""
        table = self.offset(self.value(DT_SYMTAB))
        (count,) = struct.unpack_from("<I", self.data, self.offset(self.value(DT_GNU_HASH)) + 4)
        done = []
        for at in range(table, table + count * SYMBOL.size, SYMBOL.size):
            name, info, other, section, address, size = SYMBOL.unpack_from(self.data, at)
            if section == 0 and info >> 4 == STB_GLOBAL and MPI_SYMBOL.match(self.text(name)):
                info = STB_WEAK << 4 | info & 15
                SYMBOL.pack_into(self.data, at, name, info, other, section, address, size)
                done.append(self.text(name))
        return done


def serve_any_mpi(file: Path) -> tuple[list[bytes], list[bytes]]:
    """Returns the libraries that are needed no more, and the symbols that are weak now."""
    elf = Elf(bytearray(file.read_bytes()))
    changed = elf.drop_needed(), [] if elf.is_program else elf.weaken()
    file.write_bytes(elf.data)
    return changed


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for name in sys.argv[1:]:
        try:
            serve_any_mpi(Path(name))
        except (OSError, ValueError, struct.error) as problem:
            sys.exit(f"serve_any_mpi: {name}: {problem}")
