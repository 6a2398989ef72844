"""Scatters, gathers and all-to-alls of what GPUs have, which encode and decode it (device =
compress)."""

import json
from functools import partial

import pytest
from harness import Part
from on_devices import (
    BY_MODEL,
    KNOWN_THERE,
    MOVES,
    NOT_ENCODED_THERE,
    SETTINGS,
    run_collective,
)


@pytest.fixture
def run(family, tmp_path):
    return partial(run_collective, family, tmp_path)


def block_of(ranks, size):
    return ((3 * 16384 + 77) // ranks) * size


@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize("to", ["device", "host", "in-place"])
@pytest.mark.parametrize("operation", ["scatter", "gather"])
def test_blocks_from_and_to_a_root_are_coded_on_devices(run, operation, to, ranks):
    """One of each of the others; the root's own goes by way of the host."""
    for kind, size in (("float", 4), ("double", 8)):
        lines, _, codecs, device = run(operation, kind, "device", to, "smooth", "2", ranks=ranks)
        assert lines == ["within the bound"] * 2
        assert codecs == {"bounded-device"}
        own = 2 * block_of(ranks, size)
        others = (ranks - 1) * own
        assert device["bytes_encoded"] == others
        assert device["bytes_decoded"] == (0 if to == "host" else others)
        assert device["bytes_to_host"] == (0 if to == "in-place" else own)
        assert device["bytes_to_device"] == (own if to == "device" else 0)


@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize("to", ["device", "host", "mixed", "in-place"])
def test_blocks_that_all_gather_are_coded_on_devices(run, to, ranks):
    """Each rank decodes its own, too, so that all have the same bits."""
    for kind, size in (("float", 4), ("double", 8)):
        lines, _, codecs, device = run("allgather", kind, "device", to, "smooth", "2", ranks=ranks)
        assert lines == ["within the bound"] * 2
        assert codecs == {"bounded-device"}
        gathered = 2 * ranks * block_of(ranks, size)
        assert device["bytes_encoded"] == gathered
        there = {"host": 0, "mixed": (ranks + 1) // 2}.get(to, ranks)
        assert device["bytes_decoded"] == there * gathered
        assert device["bytes_to_host"] == device["bytes_to_device"] == 0


@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize("to", ["device", "host", "mixed", "in-place"])
def test_blocks_from_all_to_all_are_coded_on_devices(run, to, ranks):
    """But in place, where blocks come to what is still to be sent."""
    for kind, size in (("float", 4), ("double", 8)):
        lines, _, codecs, device = run("alltoall", kind, "device", to, "smooth", "2", ranks=ranks)
        assert lines == ["within the bound"] * 2
        block = 2 * block_of(ranks, size)
        if to == "in-place":
            assert codecs == {"bounded"}
            continue
        assert codecs == {"bounded-device"}
        assert device["bytes_encoded"] == ranks * (ranks - 1) * block
        there = {"host": 0, "mixed": (ranks + 1) // 2}.get(to, ranks)
        assert device["bytes_decoded"] == there * (ranks - 1) * block
        assert device["bytes_to_host"] == ranks * block
        assert device["bytes_to_device"] == there * block


@pytest.mark.parametrize(("settings", "first"), KNOWN_THERE)
@pytest.mark.parametrize("operation", ["gather", "allgather", "alltoall"])
def test_what_is_to_be_known_of_blocks_is_found_out_there(run, operation, settings, first):
    words = (operation, "double", "device", "device", "smooth", str(first + 1))
    lines, _, codecs, device = run(*words, settings=settings, ranks=3)
    assert lines == ["within the bound"] * (first + 1)
    assert "bounded-device" in codecs
    if first == 0:
        own = {"gather": 1, "allgather": 0, "alltoall": 3}[operation]
        assert device["bytes_to_host"] == own * block_of(3, 8)


@pytest.mark.either_mpi
@pytest.mark.parametrize("operation", ["scatter", "gather", "allgather", "alltoall"])
@pytest.mark.parametrize(
    ("own", "field", "settings"),
    [*NOT_ENCODED_THERE, ("device", "smooth", {"device": "stage"})],
)
def test_what_is_not_for_devices_is_moved_from_the_host(run, operation, own, field, settings):
    lines, _, codecs, _ = run(operation, "float", own, "device", field, "2", settings=settings)
    assert lines == ["within the bound"] * 2
    assert "bounded-device" not in codecs


@pytest.mark.parametrize("operation", ["gather", "allgather", "alltoall"])
@pytest.mark.parametrize("own", ["some", "most"])
def test_blocks_of_which_one_is_on_the_host(run, operation, own):
    """All that are sent have to be on devices; the root of a gather sends none."""
    lines, _, codecs, _ = run(operation, "float", own, "mixed", "smooth", "3", ranks=3)
    assert lines == ["within the bound"] * 3
    there = operation == "gather" and own == "some"
    assert codecs == ({"bounded-device"} if there else {"bounded"})


@pytest.mark.either_mpi
@pytest.mark.parametrize("operation", ["gather", "allgather", "alltoall"])
@pytest.mark.parametrize("field", ["noise", "missing"])
def test_blocks_that_do_not_shrink_come_as_they_are(run, operation, field):
    lines, _, _, device = run(operation, "float", "device", "mixed", field, "2", ranks=3)
    assert lines == ["within the bound"] * 2
    assert (device["bytes_encoded"] == 0) == (field == "noise")


@pytest.mark.either_mpi
@pytest.mark.parametrize("operation", ["gather", "allgather", "alltoall"])
@pytest.mark.parametrize("wrong", ["no-coder-memory", "too-old", "coder-fails"])
def test_blocks_that_one_device_cannot_code(run, operation, wrong):
    """The root of a gather has nothing to encode: its processor decodes. Else all is staged."""
    lines, said, codecs, _ = run(
        *(operation, "float", "device", "device", "smooth", "1"),
        first={"FAKE_CUDA": wrong},
        ranks=3,
    )
    assert lines == ["within the bound"]
    assert codecs == ({"bounded-device"} if operation == "gather" else {"bounded"})
    assert said.count("the GPU has not coded the message") == 1


@pytest.mark.either_mpi
@pytest.mark.parametrize("operation", MOVES)
@pytest.mark.parametrize("kind", ["float", "double"])
def test_a_rule_for_a_type_holds_for_what_is_moved(run, tmp_path, operation, kind):
    """Which the other ranks need not know."""
    rules = tmp_path / "tightwire.toml"
    rules.write_text('[[rule]]\ndatatype = "float"\nmode = "bounded"\n')
    lines, _, codecs, _ = run(
        *(operation, kind, "device", "device", "smooth", "2"),
        settings={"config": str(rules), "mode": "exact"},
        ranks=3,
    )
    assert lines == ["within the bound"] * 2
    assert ("bounded-device" in codecs) == (kind == "float")


@pytest.mark.either_mpi
@pytest.mark.parametrize("operation", ["gather", "allgather", "alltoall"])
@pytest.mark.parametrize("damage", ["payload-bit", "checksum-bit"])
def test_a_damaged_block_is_an_error(family, operation, damage):
    environment = {"DAMAGE": damage, "DAMAGE_RANK": "1", "DAMAGE_FRAME": "0"}
    told = family.preload(SETTINGS, behind=("damage",)) | environment
    told |= {"LD_LIBRARY_PATH": str(family.program("plugin"))}
    words = [operation, "float", "device", "device", "smooth", "1"]
    command = [str(family.program("collective_on_device")), str(family.program("libcuda.so.1"))]
    outcome = family.run(Part(3, [*command, *words], told), limit=60).must_succeed()
    assert outcome.stdout.splitlines() == ["an error"]
    assert "checksum" in outcome.stderr


def test_a_root_that_is_in_place_counts_no_more_calls_than_the_others(run):
    """Small scatters are nobody's; then all ranks go the same way."""
    settings = BY_MODEL | {"link": "100M", "threshold-bounded": "1M"}
    lines, _, codecs, _ = run(
        *("scatter", "float", "device", "in-place", "smooth", "12"), settings=settings
    )
    assert lines == ["within the bound"] * 12
    assert codecs == set()


@pytest.mark.parametrize(
    ("how", "coded"),
    [
        ("plain", True),
        ("typed", True),
        ("sent-typed", True),  # but for the gather
        ("gaps", True),
        ("in-place", False),  # but for the gather
        ("communicators", True),
        ("between", False),
        ("empty", False),
    ],
)
def test_moves_that_are_seldom_give_what_they_give_on_the_host(family, tmp_path, how, coded):
    report = tmp_path / "report.json"
    told = family.preload(SETTINGS | {"report": str(report)})
    told |= {"LD_LIBRARY_PATH": str(family.program("plugin"))}
    command = [str(family.program("odd_moves_on_device")), str(family.program("libcuda.so.1")), how]
    outcome = family.run(Part(3, command, told), limit=60).must_succeed()
    assert outcome.stdout.splitlines() == ["within the bound"] * 3, str(outcome)
    codecs = {
        row["collective"]: row["codec"]
        for row in json.loads(report.read_text())["collectives"]
        if row["codec"] == "bounded-device"
    }
    expected = {"Gather", "Allgather", "Alltoall"} if coded else set()
    if how == "sent-typed":
        expected -= {"Gather"}
    if how == "in-place":
        expected = {"Gather", "Alltoall"}
    assert set(codecs) == expected
