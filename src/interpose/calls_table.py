"""Reads calls.def, the table of the entry points."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Call:
    name: str  # Allreduce
    handler: str  # collective::allreduce
    result: str
    parameters: tuple[str, ...]  # const void* sendbuf, ...
    mpi: str  # version of the standard that brought it
    tightwire: str  # version of tightwire that handles it
    form: str = ""  # of a collective: waits, returns_at_once or persistent

    @property
    def names(self) -> list[str]:
        return [re.search(r"(\w+)(\[\])?$", one).group(1) for one in self.parameters]

    @property
    def moves_data(self) -> bool:
        return any(re.match(r"(const )?MPI_Datatype ", one) for one in self.parameters)

    @property
    def large_count_parameters(self) -> tuple[str, ...] | None:
        """Those of its MPI 4 twin with wider counts, or None where there is no twin."""
        large = tuple(widened(one) for one in self.parameters)
        return large if self.moves_data and large != self.parameters else None


def widened(parameter: str) -> str:
    wider = re.sub(r"^int (\w*count)$", r"MPI_Count \1", parameter)
    wider = re.sub(r"^const int (\w*counts\[\])$", r"const MPI_Count \1", wider)
    return re.sub(r"^const int (\w*displs\[\])$", r"const MPI_Aint \1", wider)


INFO = "MPI_Info info"
REQUEST = "MPI_Request* request"


def parse_line(line: str, tightwire: str) -> list[Call]:
    """One call, or the three forms of a collective."""
    fields = [field.strip() for field in line.split("|")]
    if len(fields) != 3:
        raise ValueError("expected: handler | since | prototype")
    handler, mpi, prototype = fields
    match = re.fullmatch(r"(\w+) (\w+)\((.*)\)", prototype)
    if not match:
        raise ValueError(f"not a prototype: {prototype}")
    result, name, text = match.groups()
    parameters = () if text == "void" else tuple(one.strip() for one in text.split(","))
    versions = mpi.split()
    if len(versions) == 1:
        return [Call(name, handler, result, parameters, mpi, tightwire)]
    if len(versions) != 3:
        raise ValueError(f"not one version of MPI, nor three: {mpi}")
    at_once = f"I{name[0].lower()}{name[1:]}"
    forms = [
        (name, parameters, "waits"),
        (at_once, (*parameters, REQUEST), "returns_at_once"),
        (f"{name}_init", (*parameters, INFO, REQUEST), "persistent"),
    ]
    return [
        Call(form_name, handler, result, form_parameters, version, tightwire, form)
        for (form_name, form_parameters, form), version in zip(forms, versions, strict=True)
    ]


def read_calls(path: str) -> list[Call]:
    """All calls of the table. Raises ValueError that names the line."""
    calls = []
    tightwire = ""
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            if match := re.fullmatch(r"tightwire (\S+)", text):
                tightwire = match[1]
                continue
            try:
                if not tightwire:
                    raise ValueError("no line `tightwire VERSION` above")
                calls.extend(parse_line(text, tightwire))
            except ValueError as problem:
                raise ValueError(f"{path}:{number}: {problem}") from None
    return calls
