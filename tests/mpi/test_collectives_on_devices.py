"""Collectives that GPUs carry out where they have the values (device = compress): with the
stand-ins of test_device_coding.py."""

from functools import partial

import pytest
from harness import Part
from on_devices import (
    BY_MODEL,
    BYTES,
    KNOWN_THERE,
    MOVES,
    NOT_ENCODED_THERE,
    RELATIVE,
    SETTINGS,
    run_collective,
)


@pytest.fixture
def run(family, tmp_path):
    return partial(run_collective, family, tmp_path)


# How often all values are encoded, over all ranks. In a ring each rank encodes a segment and adds
# to all others; by doubling each encodes all and adds to all once a step, but of three ranks one
# stands aside.
ENCODED = {"ring": {2: 2, 3: 3, 4: 4}, "recursive-doubling": {2: 4, 3: 5, 4: 12}}


@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize("result", ["device", "host", "in-place"])
@pytest.mark.parametrize("algorithm", ENCODED)
def test_values_stay_on_the_devices(run, algorithm, result, ranks):
    """Nothing of them is copied as it is, and all ranks have the same bits."""
    for kind in ("float", "double"):
        lines, _, codecs, device = run(
            *("allreduce", kind, "device", result, "smooth", "2"),
            settings={"algorithm": algorithm},
            ranks=ranks,
        )
        assert lines == ["within the bound"] * 2
        assert codecs == {"bounded-device"}
        assert device["bytes_encoded"] == 2 * ENCODED[algorithm][ranks] * BYTES[kind]
        assert device["bytes_decoded"] == (0 if result == "host" else 2 * ranks * BYTES[kind])
        assert device["bytes_to_host"] == device["bytes_to_device"] == 0


@pytest.mark.parametrize(("settings", "first"), KNOWN_THERE)
def test_what_is_to_be_known_of_the_values_is_found_out_there(run, settings, first):
    for kind in ("float", "double"):
        words = ("allreduce", kind, "device", "device", "smooth", str(first + 1))
        lines, _, codecs, device = run(*words, settings=settings)
        assert lines == ["within the bound"] * (first + 1)
        assert "bounded-device" in codecs
        assert device["bytes_to_host"] == device["bytes_to_device"] == first * 4 * BYTES[kind]


@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize("to", ["device", "host", "in-place"])
@pytest.mark.parametrize("operation", ["reduce", "reduce-scatter"])
def test_parts_of_a_sum_are_made_on_the_devices(run, operation, to, ranks):
    for kind in ("float", "double"):
        lines, _, codecs, device = run(operation, kind, "device", to, "smooth", "2", ranks=ranks)
        assert lines == ["within the bound"] * 2
        # In place, a part of the result lies over values that are still to be sent.
        there = operation == "reduce" or to != "in-place"
        assert codecs == ({"bounded-device"} if there else {"bounded"})
        if not there:
            continue
        assert device["bytes_encoded"] == 2 * ranks * BYTES[kind]
        assert device["bytes_decoded"] == (0 if to == "host" else 2 * BYTES[kind])
        assert device["bytes_to_host"] == device["bytes_to_device"] == 0


def test_values_that_are_none_come_as_they_are(run):
    lines, _, codecs, _ = run("allreduce", "double", "device", "device", "missing", "1")
    assert lines == ["within the bound"]
    assert codecs == {"bounded-device"}


@pytest.mark.parametrize(
    ("own", "field", "settings"),
    [
        ("some", "smooth", {}),  # one rank has its values on the host
        ("host", "smooth", {}),
        ("device", "smooth", {"mode": "exact"}),
        ("device", "smooth", {"algorithm": "rabenseifner"}),
        ("device", "filled", RELATIVE),  # the host finds out what is no value
        ("device", "smooth", BY_MODEL | {"link": "1000G"}),  # quicker than any coding
        ("device", "smooth", {"device": "stage"}),
    ],
)
def test_what_is_not_for_devices_goes_the_way_of_the_host(run, own, field, settings):
    lines, _, codecs, device = run(
        "allreduce", "float", own, "device", field, "3", settings=settings
    )
    assert lines == ["within the bound"] * 3
    assert "bounded-device" not in codecs
    there = {"some": 3, "host": 0, "device": 4}[own]
    assert device["bytes_to_host"] == 3 * there * BYTES["float"]
    assert device["bytes_to_device"] == 3 * 4 * BYTES["float"]


def test_ranks_that_have_their_values_elsewhere_are_not_asked_at_once_again(run):
    """But after a pause of four calls."""
    lines, said, _, _ = run(
        *("allreduce", "float", "some", "device", "smooth", "7"),
        settings=RELATIVE,
        environment={"FAKE_CUDA_LOG": "1"},
        ranks=2,
    )
    assert lines == ["within the bound"] * 7
    assert said.count("device: look") == 2


@pytest.mark.parametrize("operation", ["allreduce", "bcast"])
def test_a_device_that_takes_longer_than_the_network_is_left_alone(run, operation):
    """For four calls after the first trial, for eight after the second."""
    lines, said, codecs, _ = run(
        *(operation, "float", "device", "device", "smooth", "24"),
        settings=BY_MODEL | {"link": "100M"},
        environment={"FAKE_CUDA_LOG": "1", "FAKE_CUDA_PAUSE": "0.1"},
        ranks=2,
    )
    assert lines == ["within the bound"] * 24
    assert "bounded-device" in codecs
    of_trial = 2 if operation == "allreduce" else 1
    encoding = "encode a term" if operation == "allreduce" else "encode"
    assert said.count(f"device: {encoding}\n") == 2 * of_trial


@pytest.mark.parametrize("wrong", ["no-coder-memory", "too-old", "coder-fails"])
@pytest.mark.parametrize("to", ["device", "in-place"])
@pytest.mark.parametrize("algorithm", ENCODED)
def test_what_one_device_cannot_do_its_processor_does(run, algorithm, wrong, to):
    """To the same bytes; a line says so. A driver that is too old is asked once."""
    calls = 1 if wrong == "too-old" else 2
    lines, said, codecs, _ = run(
        *("allreduce", "float", "device", to, "smooth", str(calls)),
        settings={"algorithm": algorithm},
        first={"FAKE_CUDA": wrong},
        ranks=3,
    )
    assert lines == ["within the bound"] * calls
    assert codecs == {"bounded-device"}
    assert said.count("the GPU has not coded the message") == 1


def test_without_the_library_all_is_staged(run):
    lines, said, codecs, _ = run(
        "allreduce", "float", "device", "device", "smooth", "1", plugin=False
    )
    assert lines == ["within the bound"]
    assert codecs == {"bounded"}
    assert "no libtightwire_cuda.so here" in said


@pytest.mark.parametrize("damage", ["payload-bit", "checksum-bit"])
@pytest.mark.parametrize("algorithm", ENCODED)
def test_damage_on_the_way_is_an_error(family, algorithm, damage):
    environment = {"DAMAGE": damage, "DAMAGE_RANK": "0", "DAMAGE_FRAME": "0"}
    settings = SETTINGS | {"algorithm": algorithm}
    told = family.preload(settings, behind=("damage",)) | environment
    told |= {"LD_LIBRARY_PATH": str(family.program("plugin"))}
    words = ["allreduce", "float", "device", "device", "smooth", "1"]
    command = [str(family.program("collective_on_device")), str(family.program("libcuda.so.1"))]
    outcome = family.run(Part(3, [*command, *words], told), limit=60).must_succeed()
    assert outcome.stdout.splitlines() == ["an error"]
    assert "checksum" in outcome.stderr


@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize("to", ["device", "host"])
def test_a_roots_values_are_encoded_on_its_device(run, to, ranks):
    """And decoded on those of the others; the root keeps its own as they are."""
    for kind in ("float", "double"):
        lines, _, codecs, device = run("bcast", kind, "device", to, "smooth", "2", ranks=ranks)
        assert lines == ["within the bound"] * 2
        assert codecs == {"bounded-device"}
        assert device["bytes_encoded"] == 2 * BYTES[kind]
        decoded = 0 if to == "host" else 2 * (ranks - 1) * BYTES[kind]
        assert device["bytes_decoded"] == decoded
        assert device["bytes_to_host"] == device["bytes_to_device"] == 0


@pytest.mark.parametrize(("settings", "first"), KNOWN_THERE)
def test_a_root_finds_out_there_what_is_to_be_known(run, settings, first):
    words = ("bcast", "double", "device", "device", "smooth", str(first + 1))
    lines, _, codecs, device = run(*words, settings=settings)
    assert lines == ["within the bound"] * (first + 1)
    assert "bounded-device" in codecs
    assert device["bytes_to_host"] == first * BYTES["double"]
    assert device["bytes_to_device"] == first * 3 * BYTES["double"]


@pytest.mark.parametrize(("own", "field", "settings"), NOT_ENCODED_THERE)
def test_a_root_that_is_not_to_encode_there_sends_from_the_host(run, own, field, settings):
    lines, _, codecs, device = run("bcast", "float", own, "device", field, "2", settings=settings)
    assert lines == ["within the bound"] * 2
    assert "bounded-device" not in codecs
    assert device["bytes_to_host"] == (2 * BYTES["float"] if own == "device" else 0)
    assert device["bytes_to_device"] == 2 * 3 * BYTES["float"]


@pytest.mark.parametrize("wrong", ["no-coder-memory", "coder-fails"])
def test_what_a_device_cannot_decode_its_processor_does(run, wrong):
    lines, said, codecs, _ = run(
        *("bcast", "float", "device", "device", "smooth", "2"),
        environment={"FAKE_CUDA": wrong},
        first={"FAKE_CUDA": "nothing"},
        ranks=3,
    )
    assert lines == ["within the bound"] * 2
    assert codecs == {"bounded-device"}
    assert said.count("the GPU has not coded the message") == 2


def test_noise_goes_as_it_is(run):
    lines, _, _, device = run("bcast", "float", "device", "device", "noise", "1")
    assert lines == ["within the bound"]
    assert device["bytes_to_host"] == BYTES["float"]


@pytest.mark.parametrize("how", ["session", "mixed", "nothing", "gathered", "odd"])
def test_calls_that_are_seldom_give_what_they_give_on_the_host(family, how):
    told = family.preload(SETTINGS) | {"LD_LIBRARY_PATH": str(family.program("plugin"))}
    command = [str(family.program("odd_calls_on_device")), str(family.program("libcuda.so.1")), how]
    outcome = family.run(Part(3, command, told), limit=60).must_succeed()
    lines = set(outcome.stdout.splitlines())
    if lines == {"no sessions"}:
        pytest.skip("this MPI has no sessions")
    assert lines == {"within the bound"}, str(outcome)


@pytest.mark.parametrize("where", ["first", "last"])
@pytest.mark.parametrize("operation", [*MOVES, "allreduce", "reduce", "reduce-scatter"])
def test_values_that_cannot_be_had_are_an_error_on_all_ranks(family, operation, where):
    """Of noise, which the device does not make shorter, so that the host wants it; of sums, where
    the device cannot either. Nobody waits for what does not come."""
    wrong = {"FAKE_CUDA": "fails"}
    if operation not in MOVES:
        wrong["FAKE_CODER"] = "coder-fails"
    told = family.preload(SETTINGS) | {"LD_LIBRARY_PATH": str(family.program("plugin"))}
    command = [str(family.program("collective_on_device")), str(family.program("libcuda.so.1"))]
    command += [operation, "float", "device", "device", "noise", "1"]
    parts = [Part(1, command, told | wrong), Part(2, command, told)]
    if where == "last":
        parts.reverse()
    outcome = family.run(*parts, limit=60).must_succeed()
    assert outcome.stdout.splitlines() == ["an error"], str(outcome)
    assert "the buffer lies in the memory of a GPU" in outcome.stderr
