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
