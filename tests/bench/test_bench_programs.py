"""./run bench programs: rounds, ratios, and what is compared."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
import programs
import programs_calls
from lab_programs import Cp2k, Hpcc, Lammps, Ours, Run


def run(seconds: float, output: bytes = b"same", wall: float = 0.0) -> Run:
    return Run(seconds, None, 1000, output, {}, 0.0, wall)


def test_ratios_are_of_the_same_round():
    plain = [run(1.0), run(2.0), run(4.0)]
    own = [run(1.5), run(2.0), run(4.4)]
    of = programs.beside(Ours("heat", 8, 1), own, plain)
    assert of["rounds"] == 3
    assert (of["ratio_low"], of["ratio"], of["ratio_high"]) == ("1.050", "1.100", "1.300")


def test_a_program_that_tells_of_its_tests_is_taken_as_a_whole():
    of = programs.beside(Hpcc(8, 1, 1), [run(9.0, wall=3.0)], [run(1.0, wall=2.0)])
    assert (of["ratio"], of["ratio_low"]) == ("1.500", "1.500")


def test_rounds_go_backwards_by_turns(monkeypatch):
    order = []

    def perform(_program, method, _hosts, _settings):
        order.append(method)
        return run(1.0)

    monkeypatch.setattr(programs, "perform", perform)
    methods = {"plain": None, "again": None, "tightwire": []}
    runs = programs.in_rounds(Ours("heat", 8, 1), methods, 2, quick=False)
    assert order[:6] == ["plain", "again", "tightwire", "tightwire", "again", "plain"]
    assert {len(each) for each in runs.values()} == {programs.MOST}


def test_methods():
    assert list(programs.methods_of(Hpcc(8, 1, 1), 2)) == ["plain", "again", "tightwire"]
    assert "exact" in programs.methods_of(Cp2k(), 2)
    assert "exact" not in programs.methods_of(Cp2k(), 4)
    assert programs.methods_of(Lammps("melt", 8, 1), 4)["bounded"] == ["--error-bound", "rel:1e-6"]


@pytest.mark.parametrize(("method", "word"), [("again", "at each run"), ("tightwire", "under")])
def test_another_output_ends_it(method, word):
    with pytest.raises(SystemExit, match=word):
        programs.compared(Ours("heat", 8, 1), method, [run(1.0, b"other")], run(1.0))


def test_values_within_a_bound_may_deviate_so_far_and_are_numbers():
    program = Ours("sgd", 8, 1, "rel:1e-4", "f")
    one, near, none = (b"\0\0\x80\x3f", b"\x01\0\x80\x3f", b"\0\0\xc0\x7f")
    of = programs.compared(program, "bounded", [run(1.0, near)], run(1.0, one))
    assert of["same_output"] is False and 0 < float(of["largest_deviation"]) < 1e-6
    with pytest.raises(SystemExit, match="off by nan"):
        programs.compared(program, "bounded", [run(1.0, near + none)], run(1.0, one + one))


def test_values_of_lammps_are_those_behind_its_header():
    dump = b"ITEM: TIMESTEP\n10\nITEM: NUMBER OF ATOMS\n2\nITEM: ATOMS id x\n1 0.5\n2 1.5\n"
    assert Lammps("melt", 8, 1).values(dump) == [1, 0.5, 2, 1.5]


def kind(function: str, count: int, size_class: int = 17, peer: str = "other-host") -> dict:
    of = {"function": function, "size_class": size_class, "peer": peer}
    return of | {"calls": 2, "bytes": count}


def test_where_bytes_are():
    """Received bytes were sent by somebody, and those of one host cross no network."""
    calls = [
        *(kind("MPI_Send", 300), kind("MPI_Irecv", 1000), kind("MPI_Send", 900, peer="same-host")),
        *(kind("MPI_Send", 100), kind("MPI_Allreduce", 596, size_class=1), kind("MPI_Bcast", 4)),
    ]
    rows = programs_calls.rows_of({"calls": calls, "seconds": 2.0, "mpi_seconds": 0.5})
    assert [(row["function"], row["from_bytes"], row["share"]) for row in rows] == [
        ("MPI_Allreduce", 1, "0.596"),
        ("MPI_Send", 1 << 16, "0.400"),
    ]
    assert (rows[1]["calls"], rows[1]["bytes"], rows[1]["mpi_seconds"]) == (4, 400, "0.5")
