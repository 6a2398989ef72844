"""Messages that a GPU encodes where it has them, and decodes to where they belong (device =
compress): with a library in place of CUDA's driver, whose memory nobody else can touch, and one in
place of the plugin, which has the same kernels."""

import json

import pytest
from harness import Part, either_mpi

SETTINGS = {
    "same-host": "compress",
    "point-to-point": "on",
    "mode": "bounded",
    "error-bound": "1e-3",
    "device": "compress",
}
RELATIVE = {"error-bound": "rel:5e-4"}  # of values from -1 to 1
# Where both are on one host that compresses, all is encoded, whatever the network.
BY_MODEL = {"mode": "adaptive", "same-host": "raw", "host-ranks": "1"}


@pytest.fixture
def run(family):
    """Two ranks; what rank 1 says, and all that was said."""

    def go(*words, settings=None, environment=None, plugin=True, behind=(), receiver=None):
        told = family.preload(SETTINGS | (settings or {}), behind=behind)
        folder = family.program("plugin" if plugin else "no-plugin")
        command = [str(family.program("coded_on_device")), str(family.program("libcuda.so.1"))]
        everything = told | {"LD_LIBRARY_PATH": str(folder)} | (environment or {})
        ranks = [Part(1, [*command, *words], everything | own) for own in ({}, receiver or {})]
        outcome = family.run(*ranks, limit=60).must_succeed()
        return outcome.stdout.splitlines(), outcome.stderr

    return go


@pytest.fixture
def counted(run, tmp_path):
    """The same with what the report says of the messages, and of devices."""

    def go(*words, settings=None, **more):
        report = tmp_path / "report.json"
        lines, _ = run(*words, settings=(settings or {}) | {"report": str(report)}, **more)
        told = json.loads(report.read_text())
        codecs = {row["codec"] for row in told["collectives"] if row["collective"] == "Send"}
        # Of messages that are passed through there is none.
        return lines, codecs - {"-"}, told.get("device", {})

    return go


BYTES = {"float": 4 * (65536 + 77), "double": 8 * (65536 + 77)}


FORMS = ["send", "isend", "bsend", "sendrecv", "mprobe", "persistent"]
# A probe of what MPI_Issend sends tells how long it is, and completes nothing.
FORMS += ["ssend", "issend", "ssend-init"]


@pytest.mark.parametrize("to", ["device", "host"])
@pytest.mark.parametrize("form", FORMS)
def test_messages_from_a_device_are_encoded_there(counted, form, to):
    """And decoded there, if there they go; nothing of them is copied as it is."""
    for kind in ("float", "double"):
        lines, codecs, device = counted(kind, "device", to, form, "smooth")
        rounds = 3 if form in ("persistent", "ssend-init") else 1
        assert lines == ["within the bound"] * rounds
        assert codecs == {"bounded-device"}
        assert device["bytes_encoded"] == rounds * BYTES[kind]
        assert device["bytes_decoded"] == (rounds * BYTES[kind] if to == "device" else 0)
        assert device["bytes_to_host"] == device["bytes_to_device"] == 0


def test_a_probe_tells_how_long_synchronous_messages_are(counted):
    lines, codecs, _ = counted("float", "device", "device", "lengths", "smooth")
    assert lines == ["within the bound"]
    assert codecs == {"bounded-device"}


@pytest.mark.parametrize("field", ["smooth", "noise", "missing"])
@pytest.mark.parametrize("to", ["device", "host"])
def test_what_comes_in_its_place_is_another_message(counted, field, to):
    lines, codecs, device = counted("float", "device", to, "replace", field)
    assert lines == ["exactly" if field == "noise" else "within the bound"]
    if field == "noise":
        return
    assert "bounded-device" in codecs
    both = 2 if to == "device" else 1
    assert device["bytes_encoded"] == both * BYTES["float"]
    assert device["bytes_to_host"] == 0
    # What a host has encoded is decoded on one.
    assert device["bytes_decoded"] == (2 * BYTES["float"] if to == "device" else 0)


def test_messages_from_a_host_are_staged_where_they_come(counted):
    lines, codecs, device = counted("float", "host", "device", "send", "smooth")
    assert lines == ["within the bound"]
    assert codecs == {"bounded"}
    assert device["bytes_decoded"] == 0
    assert device["bytes_to_device"] == BYTES["float"]


@pytest.mark.parametrize("settings", [RELATIVE, either_mpi(BY_MODEL | {"link": "100M"})])
def test_what_is_to_be_known_of_the_values_is_found_out_there(counted, settings):
    """The range that a bound is a part of, and by a sample whether it pays."""
    for kind in ("float", "double"):
        lines, codecs, device = counted(
            kind, "device", "device", "send", "smooth", settings=settings
        )
        assert lines == ["within the bound"]
        assert codecs == {"bounded-device"}
        assert device["bytes_to_host"] == device["bytes_to_device"] == 0


def test_a_device_tells_what_a_sample_has_missed_from_fill_values(run):
    lines, said = run(
        *("float", "device", "device", "send", "bump"),
        settings=RELATIVE,
        environment={"FAKE_CUDA_LOG": "1"},
    )
    assert lines == ["within the bound"]
    assert "device: find ends\n" in said
    assert "device: encode\n" in said


@pytest.mark.parametrize(
    ("field", "form", "settings"),
    [
        ("noise", "send", {}),  # does not shrink
        ("noise", "persistent", {}),
        ("noise", "send", BY_MODEL | {"link": "100M"}),
        ("noise", "issend", {}),
        ("noise", "ssend", BY_MODEL | {"link": "100M"}),
        ("smooth", "ssend", {"mode": "exact"}),
        ("smooth", "send", {"mode": "exact"}),
        ("filled", "send", RELATIVE),  # the host finds out what is no value
    ],
)
def test_what_the_device_is_not_to_encode_is_staged(counted, field, form, settings):
    lines, codecs, device = counted("float", "device", "device", form, field, settings=settings)
    assert set(lines) <= {"exactly", "within the bound"}
    assert "bounded-device" not in codecs
    assert device["bytes_to_host"] == device["bytes_to_device"] == len(lines) * BYTES["float"]


@pytest.mark.parametrize(("settings", "encoded"), [({}, 3), (BY_MODEL | {"link": "100M"}, 1)])
def test_what_was_in_vain_is_not_tried_at_once_again(run, settings, encoded):
    """But where it is asked for."""
    lines, said = run(
        *("float", "device", "device", "persistent", "noise"),
        settings=settings,
        environment={"FAKE_CUDA_LOG": "1"},
    )
    assert lines == ["exactly"] * 3
    assert said.count("device: encode") == encoded


def test_where_the_network_is_quicker_nothing_is_encoded(run):
    """Not even to see what comes of it."""
    lines, said = run(
        *("float", "device", "device", "send", "smooth"),
        settings=BY_MODEL | {"link": "1000G"},
        environment={"FAKE_CUDA_LOG": "1"},
    )
    assert set(lines) <= {"exactly", "within the bound"}
    assert "device: " not in said


def test_the_table_tells_what_devices_have_coded(run):
    _, said = run("float", "device", "device", "send", "smooth", settings={"verbose": "on"})
    assert "256.3 KiB encoded there, 256.3 KiB decoded" in said


def test_values_that_are_none_come_as_they_are(counted):
    lines, codecs, _ = counted("double", "device", "device", "send", "missing")
    assert lines == ["within the bound"]
    assert codecs == {"bounded-device"}


@pytest.mark.parametrize("to", ["device", "host"])
@pytest.mark.parametrize("damage", ["payload-bit", "checksum-bit"])
def test_damage_on_the_way_is_an_error(run, damage, to):
    environment = {"DAMAGE": damage, "DAMAGE_OF": "lead", "DAMAGE_RANK": "0", "DAMAGE_FRAME": "0"}
    lines, said = run(
        "float", "device", to, "send", "smooth", environment=environment, behind=("damage",)
    )
    assert lines == ["an error"], said
    assert f"damage: {damage}" in said and "checksum" in said


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("no-coder-memory", "out of memory"),
        ("too-old", "a newer driver is needed"),
        ("coder-fails", "launch failure"),
    ],
)
def test_a_device_that_cannot_is_told_of_and_the_message_staged(run, wrong, says):
    lines, said = run(
        "float", "device", "device", "persistent", "smooth", environment={"FAKE_CUDA": wrong}
    )
    assert lines == ["within the bound"] * 3, said
    (line,) = [line for line in said.splitlines() if says in line]  # of the sender, once
    for part in ("rank 0", "MPI_Send_init", "in the memory of a GPU", "staged", "device=stage"):
        assert part in line


@pytest.mark.parametrize("wrong", ["no-coder-memory", "coder-fails", "unpinned"])
def test_a_device_that_cannot_leaves_what_is_replaced_to_the_host(counted, wrong):
    lines, codecs, _ = counted(
        *("float", "device", "device", "replace", "smooth"), environment={"FAKE_CUDA": wrong}
    )
    assert lines == ["within the bound"]
    assert codecs == {"bounded"}


@pytest.mark.parametrize(
    ("plugin", "wrong", "says"),
    [(False, "", "libtightwire_cuda.so"), (True, "other-version", "of another version")],
)
def test_without_a_plugin_buffers_are_staged(run, plugin, wrong, says):
    lines, said = run(
        *("float", "device", "device", "persistent", "smooth"),
        plugin=plugin,
        environment={"FAKE_CUDA": wrong},
    )
    assert lines == ["within the bound"] * 3
    told = [line for line in said.splitlines() if says in line]
    assert len(told) == 2, said  # of each rank
    assert all("are staged" in line for line in told)


def test_a_program_without_a_device_loads_nothing(run):
    lines, said = run("float", "host", "host", "send", "smooth", plugin=False)
    assert lines == ["within the bound"]
    assert "libtightwire_cuda" not in said


def test_without_pinned_memory_the_host_encodes(counted):
    lines, codecs, device = counted(
        *("float", "device", "device", "send", "smooth"), environment={"FAKE_CUDA": "unpinned"}
    )
    assert lines == ["within the bound"]
    assert codecs == {"bounded"}
    assert device["bytes_encoded"] == 0


@pytest.mark.parametrize(
    ("wrong", "says"), [("no-coder-memory", "out of memory"), ("other-version", "another version")]
)
def test_what_a_device_does_not_decode_the_host_does(run, wrong, says):
    """The receiver's device is none for it, and the sender does not know."""
    lines, said = run(
        *("double", "device", "device", "persistent", "smooth"), receiver={"FAKE_CUDA": wrong}
    )
    assert lines == ["within the bound"] * 3
    (line,) = [line for line in said.splitlines() if says in line]
    assert "rank 1" in line and "staged" in line


@pytest.mark.parametrize("device", ["stage", "compress"])
def test_the_benchmark_checks_and_measures(family, device, tmp_path):
    program = family.build / "bin" / f"bench-device-messages-{family.name}"
    if not program.exists():
        pytest.skip(f"the build has no {program.name}")
    driver = family.program("libcuda.so.1")
    settings = SETTINGS | {"error-bound": "rel:1e-3", "device": device}
    # Where there is no GPU, only a driver that is there before MPI begins is looked for.
    told = family.preload(settings)
    told["LD_PRELOAD"] += f":{driver}"
    told["LD_LIBRARY_PATH"] = str(family.program("plugin"))
    patterns = ["message", "window", "allreduce", "bcast"]
    patterns += ["scatter", "gather", "allgather", "alltoall"]
    arguments = [
        *("--driver", str(driver), "--patterns", ",".join(patterns)),
        *("--fields", "turbulence", "--bytes", "65536", "--bound", "1e-3"),
        *("--seconds", "0.01", "--cache", str(tmp_path)),
    ]
    outcome = family.run(Part(2, [str(program), *arguments], told), limit=100).must_succeed()
    rows = [line.split(",") for line in outcome.stdout.splitlines() if line.startswith("row,")]
    assert [row[1] for row in rows] == patterns
    assert all(float(row[4]) > 0 and float(row[5]) > 0 for row in rows)


def test_every_call_goes_on_as_when_staged(family):
    """Those that devices have nothing to encode in."""

    def told(environment, driver):
        folder = {"LD_LIBRARY_PATH": str(family.program("plugin"))}
        command = [str(family.program("calls_on_device")), driver, "receives"]
        outcome = family.run(Part(2, command, environment | folder), limit=60)
        return outcome.must_succeed().stdout

    coded = family.preload(SETTINGS | {"mode": "exact", "error-bound": "none"})
    plain = told(family.plain(), "-")
    assert told(coded, str(family.program("libcuda.so.1"))) == plain
