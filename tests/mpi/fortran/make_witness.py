#!/usr/bin/env python3
"""Write a library that is preloaded before Tightwire and sees every call that Tightwire gets from
a program: make_witness.py INTERPOSE_FOLDER witness.c

Rank 0 prints `called NAME` for each function that was called. With SPOIL=NAME in the environment
the first byte of what that function sends, or gave back, is changed in every call.
"""

import re
import sys
from pathlib import Path

HEADER = """// Made by make_witness.py. Do not edit.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void spoil(const char* name, const void* data) {
  const char* wanted = getenv("SPOIL");
  if (wanted == NULL || strcmp(wanted, name) != 0) return;
  if (data == NULL || data == MPI_BOTTOM || data == MPI_IN_PLACE) return;
  *(unsigned char*)data ^= 1;
}

// Fortran's calls come from MPI's library of that binding. Tightwire and MPI call these as well.
static int by_the_program(const void* caller) {
  static const char* const others[] = {"libtightwire-", "libmpi.so", "libmpich.so"};
  Dl_info place;
  if (dladdr(caller, &place) == 0 || place.dli_fname == NULL) return 0;
  for (int i = 0; i < 3; i++) {
    if (strstr(place.dli_fname, others[i]) != NULL) return 0;
  }
  return 1;
}

static void print_called(void);
"""

WRAPPER = """
static int called_{name};
{result} PMPI_{name}({parameters}) {{
  {result} (*real)({parameters}) = dlsym(RTLD_NEXT, "PMPI_{name}");
  if (!by_the_program(__builtin_return_address(0))) return real({arguments});
  called_{name} = 1;
{before}  const {result} code = real({arguments});
{after}  return code;
}}
{result} MPI_{name}({parameters}) __attribute__((alias("PMPI_{name}")));
"""


def spoiled(call) -> tuple[str, str]:
    """Statements before and after the call. None for calls that only begin a receive."""
    before = after = ""
    if call.name == "Finalize":
        before = "  print_called();\n"
    elif call.moves_data and not call.name.endswith("_init"):
        given = [re.fullmatch(r"const void\* (\w+)", one) for one in call.parameters]
        got = [re.fullmatch(r"void\* (\w+)", one) for one in call.parameters]
        names = [match[1] for match in got if match]
        if names and (call.name[0] != "I" or call.name == "Isendrecv_replace"):
            statement = f'  spoil("{call.name}", {names[0]});\n'
            before, after = (statement, "") if call.name[0] == "I" else ("", statement)
        elif not names:
            name = next(match[1] for match in given if match)
            before = f'  spoil("{call.name}", {name});\n'
    return before, after


def wrapper(call, name: str, parameters: tuple[str, ...]) -> str:
    before, after = spoiled(call) if name == call.name else ("", "")
    return WRAPPER.format(
        name=name,
        result=call.result,
        parameters=", ".join(parameters) or "void",
        arguments=", ".join(call.names),
        before=before,
        after=after,
    )


def if_mpi_4(text: str) -> str:
    return f"#if MPI_VERSION >= 4{text}#endif\n"


def main(interpose: str, output: str) -> None:
    sys.path.insert(0, interpose)
    from calls_table import read_calls

    text, printed = HEADER, ""
    for call in read_calls(str(Path(interpose) / "calls.def")):
        forms = [(call.name, call.parameters, call.mpi >= "4")]
        if call.large_count_parameters:
            forms.append((call.name + "_c", call.large_count_parameters, True))
        for name, parameters, newer in forms:
            code = wrapper(call, name, parameters)
            line = f'\n  if (called_{name}) puts("called {name}");\n'
            text += if_mpi_4(code) if newer else code
            printed += if_mpi_4(line) if newer else line
    text += (
        "\nstatic void print_called(void) {\n  int rank = 0;\n"
        "  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  if (rank != 0) return;\n"
        f"{printed}}}\n"
    )
    Path(output).write_text(text)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
