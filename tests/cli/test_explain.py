"""tightwire explain: predictions without a job."""

import re

import pytest

ALLREDUCE = ("explain", "--op", "allreduce", "--bytes", "32M", "--ranks", "4")
BOUND = ("--error-bound", "1e-3")


def lines_of(result) -> dict[str, tuple[bool, float]]:
    """For each way whether it is the choice, and its milliseconds."""
    assert result.code == 0, result.err
    ways = {}
    pattern = re.compile(
        r"^([* ]) (\S.*?)\s+(?:\d+|-)\s+(?:[\d.e+]+|-)\s+([\d.e+-]+)\s+[\d.]+$", re.MULTILINE
    )
    for mark, name, milliseconds in pattern.findall(result.out):
        ways[name] = (mark == "*", float(milliseconds))
    return ways


def choice(result) -> str:
    chosen = [name for name, (mark, _) in lines_of(result).items() if mark]
    assert len(chosen) == 1, result.out
    return chosen[0]


def test_every_way_has_its_time(tightwire):
    ways = lines_of(tightwire.run(*ALLREDUCE, "--link", "10G", *BOUND))
    assert ways.keys() == {
        "plain MPI",
        *(
            f"{codec}, {algorithm}"
            for codec in ("bounded", "exact")
            for algorithm in ("ring", "recursive-doubling", "rabenseifner")
        ),
    }
    times = [milliseconds for _, milliseconds in ways.values()]
    assert times == sorted(times)


def test_the_link_decides(tightwire):
    assert choice(tightwire.run(*ALLREDUCE, "--link", "10G", *BOUND)) == "bounded, ring"
    assert choice(tightwire.run(*ALLREDUCE, "--link", "400G", *BOUND)) == "plain MPI"
    assert "does not pay" in tightwire.run(*ALLREDUCE, "--link", "400G", *BOUND).out


def test_the_data_decides(tightwire):
    slow = (*ALLREDUCE, "--link", "1G", *BOUND)
    good = lines_of(tightwire.run(*slow, "--ratio", "40"))["bounded, ring"]
    poor = lines_of(tightwire.run(*slow, "--ratio", "2"))["bounded, ring"]
    assert good[1] < poor[1] / 5
    assert choice(tightwire.run(*slow, "--ratio", "1")) != "bounded, ring"


def test_settings_decide(tightwire):
    assert choice(tightwire.run(*ALLREDUCE, "--link", "1G", "--mode", "raw")) == "plain MPI"
    forced = tightwire.run(*ALLREDUCE, "--mode", "bounded", "--algorithm", "rabenseifner", *BOUND)
    assert choice(forced) == "bounded, rabenseifner"
    small = tightwire.run("explain", "--op", "bcast", "--bytes", "1K", "--ranks", "8")
    assert choice(small) == "plain MPI"
    assert "too small" in small.out
    integers = tightwire.run(*ALLREDUCE, "--link", "100M", "--type", "int", *BOUND)
    assert choice(integers) == "exact, ring"


@pytest.mark.parametrize("option", ["--ratio", "--latency"])
def test_what_is_no_number_is_refused(tightwire, option):
    result = tightwire.run(*ALLREDUCE, option, "nan")
    assert (result.code, result.out) == (2, "")
    assert option in result.messages[0] and '"nan" is not a number' in result.messages[0]


RULES = """\
error-bound = 1e-4
point-to-point = true

[[rule]]
communicator = "press*"
mode = "exact"

[[rule]]
operation = ["allreduce", "send"]
datatype = "double"
min-bytes = "1M"
error-bound = 1e-2

[[rule]]
operation = "point-to-point"
peer = "same-host"
mode = "raw"
"""
IN_FORCE = (
    "In force: mode={mode} threshold-exact=auto threshold-bounded=auto threshold-pipelined=auto "
    "history=auto error-bound={bound} bound-applies-to=result bounded-codec=bounded "
    "exact-codec=exact zstd-level=1 zfp-rate=8"
)
FIRST = "The first rule that it meets is number 1 (rules.toml:4): communicator=press*: mode=exact"
SECOND = (
    "The first rule that it meets is number 2 (rules.toml:8): operation=allreduce,send "
    "datatype=double min-bytes=1M: error-bound=0.01"
)
NONE = "It meets no rule of rules.toml: the settings of the job hold."
ADAPTIVE = "adaptive+pipelined"


@pytest.mark.parametrize(
    ("arguments", "rule", "mode", "bound"),
    [
        (("--datatype", "double", "--comm", "pressure"), FIRST, "exact", "1e-04"),
        (("--datatype", "double", "--comm", "velocity"), SECOND, ADAPTIVE, "0.01"),
        (("--datatype", "double"), SECOND, ADAPTIVE, "0.01"),
        (("--datatype", "float"), NONE, ADAPTIVE, "1e-04"),
        (("--op", "send", "--datatype", "double"), SECOND, ADAPTIVE, "0.01"),
        (("--bytes", "1023K", "--datatype", "double"), NONE, ADAPTIVE, "1e-04"),
    ],
)
def test_the_rule_that_a_call_meets(tightwire, arguments, rule, mode, bound):
    (tightwire.folder / "rules.toml").write_text(RULES)
    asked = {"--op": "allreduce", "--bytes": "32M"}
    asked |= dict(zip(arguments[::2], arguments[1::2], strict=True))
    words = [word for option in asked.items() for word in option]
    result = tightwire.run("explain", "--config", "rules.toml", *words)
    assert result.code == 0, result.err
    lines = result.out.splitlines()
    assert lines[:3] == [rule, IN_FORCE.format(mode=mode, bound=bound), ""]
    assert ("Mode exact compresses every message." in lines) == (mode == "exact")


def test_messages_that_are_no_frames(tightwire):
    def last_line(*arguments, rules=RULES):
        (tightwire.folder / "rules.toml").write_text(rules)
        asked = ("explain", "--config", "rules.toml", "--op", "send", *arguments)
        return tightwire.run(*asked).out.splitlines()[-1]

    assert last_line("--bytes", "1M", "--peer", "same-host").startswith("same-host is raw")
    assert last_line("--bytes", "255").startswith("Messages between two ranks are compressed from")
    off = RULES.replace("point-to-point = true", "point-to-point = false")
    (tightwire.folder / "rules.toml").write_text(off)
    asked = ("explain", "--config", "rules.toml", "--op", "send", "--bytes")
    large = tightwire.run(*asked, "1M").out
    assert "point-to-point is off: the message goes as it is. With point-to-point = on:" in large
    assert "plain MPI" in large
    assert "plain MPI" not in tightwire.run(*asked, "255").out


@pytest.mark.parametrize(
    "names", [("double", "float64", "f64"), ("short", "i16"), ("byte", "bytes")]
)
def test_a_type_has_the_names_that_inspect_takes(tightwire, names):
    said = {name: tightwire.run(*ALLREDUCE, "--type", name).out for name in names}
    assert len({text.replace(f" of {name} ", " ") for name, text in said.items()}) == 1
    assert "plain MPI" in said[names[0]]
    values = tightwire.folder / "values"
    values.write_bytes(bytes(4096))
    told = {tightwire.run("inspect", "--type", name, values).out.splitlines()[0] for name in names}
    assert len(told) == 1


def test_what_earlier_messages_may_add(tightwire):
    message = ("explain", "--op", "send", "--bytes", "1M", "--point-to-point", "on")
    said = "resembles earlier messages"
    assert said in tightwire.run(*message).out
    assert said in tightwire.run(*message, *BOUND).out
    for option in (("--history", "off"), ("--exact-codec", "zstd")):
        assert said not in tightwire.run(*message, *option).out
    assert said not in tightwire.run(*ALLREDUCE).out
    blocks = ("explain", "--op", "alltoall", "--bytes", "1M")
    assert said in tightwire.run(*blocks).out
    for option in (("--point-to-point", "off"), ("--deterministic", "on")):
        assert said not in tightwire.run(*blocks, *option).out


CODED_THERE = "In the memory of a GPU, floating-point values within an error bound"


@pytest.mark.parametrize(
    ("operation", "device", "begins"),
    [
        ("allreduce", "auto", "In the memory of a GPU: staged through pinned memory"),
        ("allreduce", "stage", "In the memory of a GPU: staged through pinned memory"),
        ("allreduce", "off", "In a job with GPUs: plain MPI"),
        ("send", "auto", "In the memory of a GPU, where MPI says that it reaches there: MPI's"),
        ("send", "stage", "In the memory of a GPU: staged through pinned memory"),
        ("allreduce", "compress", f"{CODED_THERE}, with MPI_SUM: carried out by GPUs where all"),
        ("bcast", "compress", f"{CODED_THERE}: carried out by GPUs where the root has them there"),
        ("gather", "compress", f"{CODED_THERE}: carried out by GPUs where all but the root have"),
        ("alltoall", "compress", f"{CODED_THERE}: carried out by GPUs where all ranks have them"),
        ("scan", "compress", "In the memory of a GPU: staged through pinned memory"),
        ("send", "compress", f"{CODED_THERE} are encoded"),
        ("send", "off", "In the memory of a GPU: it goes to MPI as it is"),
    ],
)
def test_what_becomes_of_buffers_on_a_gpu(tightwire, operation, device, begins):
    call = ("explain", "--op", operation, "--bytes", "50M", "--device", device)
    result = tightwire.run(*call, "--memory", "device")
    assert result.code == 0, result.err
    assert result.out.startswith(begins)
    # 50 MiB at 25 GB/s
    assert ("2.1 ms" in result.out) == (
        "staged" in begins or "reaches" in begins or "values" in begins
    )
    assert "GPU" not in tightwire.run(*call).out


def test_a_call_is_of_its_kind_however_it_is_started(tightwire):
    asked = ("--bytes", "32M", "--ranks", "4")
    answers = [
        tightwire.run("explain", "--op", name, *asked).out.split("of 32M", 1)
        for name in ("allreduce", "iallreduce", "allreduce-init")
    ]
    assert [name for name, _ in answers] == ["allreduce ", "iallreduce ", "allreduce-init "]
    assert len({answer for _, answer in answers}) == 1


def test_a_file_without_rules(tightwire):
    (tightwire.folder / "empty.toml").write_text("")
    asked = ("--op", "bcast", "--bytes", "1M")
    result = tightwire.run("explain", "--config", "empty.toml", *asked)
    assert result.out.startswith("There are no rules in empty.toml.\n")


def test_settings_lists_the_rules(tightwire):
    (tightwire.folder / "rules.toml").write_text(RULES)
    result = tightwire.run("settings", "--config", "rules.toml")
    lines = result.out.splitlines()
    assert lines[-3] == "rule 1  communicator=press*: mode=exact  rules.toml:4"
    assert [line.split("  ")[0] for line in lines[-3:]] == ["rule 1", "rule 2", "rule 3"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("explain",), "--op is required"),
        (("explain", "--op", "sum", "--bytes", "1M", "--ranks", "4"), "--op"),
        (("explain", "--op", "bcast", "--bytes", "much", "--ranks", "4"), '--bytes "much"'),
        (("explain", "--op", "bcast", "--bytes", "0", "--ranks", "4"), "is no message"),
        (("explain", "--op", "bcast", "--bytes", "1M", "--ranks", "1"), "--ranks"),
        ((*ALLREDUCE, "--ratio", "0.5"), "--ratio"),
        ((*ALLREDUCE, "--chunk", "5"), "did you mean --chunks"),
        ((*ALLREDUCE, "--mode", "fast"), "mode"),
        ((*ALLREDUCE, "./app"), "./app"),
    ],
)
def test_what_is_wrong_is_said(tightwire, arguments, words):
    result = tightwire.run(*arguments)
    assert result.code == 2
    assert result.out == ""
    assert len(result.messages) == 1 and words in result.messages[0], result.err


def test_threads_are_measured_and_said(tightwire):
    fast = (*ALLREDUCE, "--link", "100G", *BOUND)
    alone = tightwire.run(*fast, "--threads", "1")
    assert "thread" not in alone.out
    two = tightwire.run(*fast, "--threads", "2")
    said = re.search(
        r"^(\d) threads? encode and decode ([\d.]+) times as fast as one", two.out, re.M
    )
    assert said and 1 <= float(said[2]) <= int(said[1]), two.out
    ring = "bounded, ring"
    assert lines_of(two)[ring][1] <= lines_of(alone)[ring][1]
    automatic = tightwire.run(*fast)
    assert tightwire.run(*fast, "--threads", "auto").out == automatic.out
    assert "Reckoned with one thread" in automatic.out
    assert lines_of(automatic) == lines_of(alone)
