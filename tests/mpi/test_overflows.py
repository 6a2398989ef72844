"""Sums of integers that do not fit are those of the MPI at hand (MPI 4.0, section 6.9.2 leaves them
open): Open MPI's saturate for 8 and 16 bits, and so depend on the order of the ranks."""

from harness import Part


def test_sums_that_do_not_fit(family):
    command = [str(family.program("overflows"))]
    settings = {"same-host": "compress", "mode": "exact", "chunks": "4"}
    plain = family.run(Part(3, command, family.plain())).must_succeed()
    ours = family.run(Part(3, command, family.preload(settings))).must_succeed()
    assert len(plain.stdout.splitlines()) == 6
    assert ours.stdout == plain.stdout
