"""src/plot/report.py makes a page of every kind of report, and says what is wrong with others."""

import copy
import importlib
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest
from irregular_files import dangling_link, link, pipe

SCRIPT = Path(__file__).parents[2] / "src" / "plot" / "report.py"
VOID = {"meta", "link", "br", "img", "input", "hr"}


def tried(choice, ratio, **more):
    return {"choice": choice, "bytes_before": 1000.0, "bytes_after": 1000.0 / ratio,
            "ratio": ratio, "least_ratio": ratio, "most_ratio": ratio, **more}  # fmt: skip


def call(site, **more):
    return {
        "site": site, "object": "heat", "offset": 64, "function": "MPI_Isend",
        "communicator": "MPI_COMM_WORLD", "communicator_ranks": 4, "peer": "other-host",
        "type": "float64", "derived": False, "reduction": "", "size_class": 21, "calls": 400,
        "bytes": 400 << 20, "seconds": 4.0, "reason": "",
        "samples": {"count": 3, "values": 3000, "fill_values": 30, "tried": [
            tried("exact", 1.3), tried("exact+entropy", 1.5),
            tried("1e-4", 9.0, largest_error=9.5e-5, psnr=80.0),
            tried("rel:1e-4", 7.0, largest_error=2e-4, psnr=85.5),
            tried("rel:1e-6", 3.0, largest_error=2e-6, psnr=None)]},
        **more,
    }  # fmt: skip


AUDIT = {
    "audit": 1, "tightwire": "0.1.0", "mpi": "MPICH Version: 4.0.2", "settings": {"link": "1G"},
    "ranks": 4, "hosts": 2, "seconds": 10.0, "mpi_seconds": 5.0,
    "cost_seconds": 0.1, "latency_seconds": 5e-5, "bandwidth": 1.25e8,
    "calls": [
        call("exchange_halo"),
        call("checkpoint", peer="same-host", reason="stays on its host"),
        call("", object="", function="MPI_Waitall", bytes=0, size_class=0, samples={}),
    ],
    "sent": [[0, 1, 100, 1 << 20], [3, 0, 10, 1 << 10]],
    "forecast": [
        {"choice": "exact", "seconds": 1.0, "least": 0.8, "most": 1.1},
        {"choice": "rel:1e-4", "seconds": 3.0, "least": 2.5, "most": 3.2},
    ],
}  # fmt: skip
ROW = {
    "collective": "Allreduce", "tier": "bounded", "pipelined": True, "codec": "bounded",
    "algorithm": "ring", "calls": 30, "message_bytes": 3000, "bytes_before": 3000,
    "bytes_after": 1000, "ratio": 3.0, "seconds": 0.3, "largest_error_bound": 1e-4,
}  # fmt: skip
RUN = {
    "report": 1, "tightwire": "0.1.0", "mpi": "Open MPI v4.1.4", "ranks": 4,
    "error_bound": "1e-04", "settings": {"error-bound": "1e-04", "history": "off"},
    "collectives": [ROW, {**ROW, "tier": "raw", "why_raw": "no-gain"}],
    "rules": [{"rule": 1, "place": "x.toml:3", "text": "where=halo*: mode=raw", "calls": 8}],
    "point_to_point": {"coding_seconds": 0.5, "expanding_seconds": 0.1},
}  # fmt: skip


class Checker(HTMLParser):
    """Every tag is closed, every name is there once, nothing is fetched."""

    def __init__(self, page):
        super().__init__()
        self.open, self.ids, self.text = [], set(), ""
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attributes:
            assert name not in ("src", "onload"), value
            if name.endswith("href"):
                assert value.startswith(("#", "data:image/png;")), value
            if name == "id":
                assert value not in self.ids
                self.ids.add(value)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@dataclass(frozen=True)
class Done:
    returncode: int
    stderr: str


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """The script, without the start of Python and matplotlib each time."""
    monkeypatch.syspath_prepend(SCRIPT.parent)
    monkeypatch.chdir(tmp_path)

    def with_reports(*contents, options=()):
        names = written(tmp_path, contents)
        monkeypatch.setattr(sys, "argv", ["report", *names, *map(str, options)])
        code = None
        try:
            importlib.import_module("report").main()
        except SystemExit as end:
            code = end.code
        said = (f"{code}\n" if isinstance(code, str) else "") + capsys.readouterr().err
        return Done(1 if code else 0, said)

    return with_reports


@pytest.fixture
def page(run, tmp_path):
    def of(*contents):
        done = run(*contents)
        assert done.returncode == 0, done.stderr
        return (tmp_path / "report-0.html").read_text()

    return of


def written(folder, contents):
    names = []
    for i, content in enumerate(contents):
        name = f"report-{i}.json"
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / name).write_text(text)
        names.append(name)
    return names


def test_an_audit_is_told_of(page):
    text = page(AUDIT)
    said = Checker(text).text
    for word in (
        "4 on 2",
        "exchange_halo",
        "stays on its host",
        "1 Gbit/s",
        "10.0 %",
        "85.5 dB",
        "taken 10 % less time",
        "30 % less time",
    ):
        assert word in said, word
    assert text.count("<svg") == 5
    assert "@import" not in text and not re.search(r"url\((?!#)", text)


def test_what_earlier_messages_gain_is_drawn(page):
    in_time = [tried("exact", 4.0), tried("exact+entropy", 4.75)]
    seen = copy.deepcopy(AUDIT)
    seen["calls"][0]["samples"]["in_time"] = in_time
    assert "from earlier messages" in page(seen) and "4.75" in page(seen)
    assert "from earlier messages" not in page(AUDIT)


def test_a_page_says_what_made_it_and_how_it_was_asked(page):
    said = Checker(page(AUDIT)).text
    assert "Tightwire 0.1.0, MPICH Version: 4.0.2, format 1." in said
    assert "Settings" in said and "link1G" in said
    said = Checker(page(RUN)).text
    assert "Tightwire 0.1.0, Open MPI v4.1.4, format 1." in said
    assert "historyoff" in said
    assert "All as by default." in Checker(page({**RUN, "settings": {}})).text


def test_files_of_before_say_less(page):
    old = {key: value for key, value in RUN.items() if key not in ("report", "mpi", "settings")}
    said = Checker(page(old)).text
    assert "Tightwire 0.1.0, format 1." in said and "Settings" not in said


def test_a_run_is_told_of(page):
    said = Checker(page(RUN)).text
    for word in ("3.00", "would not shrink", "where=halo*: mode=raw", "encoding them took"):
        assert word in said, word


SPLIT = {"encoding_seconds": 0.06, "combining_seconds": 0.03, "decoding_seconds": 0.015,
         "communicating_seconds": 0.195}  # fmt: skip


def test_a_call_is_taken_apart(page):
    said = Checker(page({**RUN, "collectives": [{**ROW, **SPLIT}]})).text
    for word in ("What the time of collectives went into", "20.0 %", "10.0 %", "5.0 %", "65.0 %"):
        assert word in said, word


def part(rank, job="a1", **more):
    return {**RUN, "job": job, "seconds": 12.5, "part": {"rank": rank, "ended_by": "SIGTERM"},
            "collectives": [{**ROW, **SPLIT}], **more}  # fmt: skip


def test_parts_of_a_job_are_summed(page):
    said = Checker(page(part(2), part(0))).text
    for word in (
        "ended: SIGTERM. Rank 0, 2 of 4",
        "12.5 s",
        "3.00",
        "60",
        "report-0.json and 1 more",
    ):
        assert word in said, word


def test_all_parts_are_the_whole(page):
    parts = [part(rank, part={"rank": rank, "ended_by": "so far"}) for rank in range(4)]
    assert "goes on, or was killed. All ranks" in Checker(page(*parts)).text


def test_two_side_by_side(page):
    checked = Checker(page(AUDIT, {**AUDIT, "seconds": 7.5}))
    assert "10 s" in checked.text and "7.5 s" in checked.text


def test_two_audits_are_compared(page):
    faster = {**AUDIT, "seconds": 7.5, "settings": {"link": "10G"}, "mpi": "Open MPI v4.1.4"}
    said = Checker(page(AUDIT, faster)).text
    for word in ("What differs", "time10 s7.5 s-25.0 %", "setting link1G10G", "made by"):
        assert word in said, word
    assert "What differs" not in Checker(page(AUDIT)).text


def test_two_runs_are_compared(page):
    other = {**RUN, "settings": {"history": "off", "mode": "exact"}, "seconds": 9.0,
             "collectives": [{**ROW, "bytes_after": 750}]}  # fmt: skip
    said = Checker(page({**RUN, "seconds": 12.0}, other)).text
    for word in ("time12 s9 s-25.0 %", "times smaller3.004.00+33.3 %", "setting modedefaultexact",
                 "setting error-bound1e-04default"):  # fmt: skip
        assert word in said, word
    assert "setting history" not in said and "made by" not in said


@pytest.mark.parametrize("nothing", [{"collectives": []}, {"seconds": 0.0}, {"seconds": None}])
def test_runs_of_nothing_are_compared(page, nothing):
    assert "What differs" in Checker(page({**RUN, **nothing}, {**RUN, **nothing})).text


def test_names_are_no_markup(page):
    audit = copy.deepcopy(AUDIT)
    audit["calls"][0]["site"] = "<script>alert(1)</script>$x_1$ & ns::f<double>"
    audit["calls"][0]["communicator"] = '"><b>'
    audit["settings"] = {"<script>": "<script>"}
    audit["mpi"] = "<script>"
    text = page(audit)
    assert "<script" not in text and '"><b>' not in text
    assert "$x_1$ & ns::f<double>" in Checker(text).text


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"calls": [], "sent": [], "forecast": []}, "No message was sampled"),
        ({"hosts": 1}, "nothing is compressed"),
        ({"seconds": 0.0, "bandwidth": 0}, "not known"),
    ],
)
def test_audits_of_little(page, change, word):
    assert word in Checker(page({**AUDIT, **change})).text


def test_a_run_that_compressed_nothing(page):
    assert "Nothing." in Checker(page({**RUN, "collectives": []})).text


def test_many_ranks_share_cells(page):
    sent = [[rank, (rank + 1) % 1000, 1, 1000] for rank in range(1000)]
    assert "in a cell" in Checker(page({**AUDIT, "ranks": 1000, "sent": sent})).text


@pytest.mark.parametrize(
    ("contents", "word"),
    [
        ((json.dumps(AUDIT)[:-20],), "cut off"),
        (("",), "cut off"),
        (("[" * 100000,), "cut off"),
        (("[1, 2]",), "neither"),
        (({"audit": 2},), "another version"),
        (({"audit": 1},), "damaged"),
        (({**RUN, "report": 2},), "another version"),
        (({**RUN, "settings": "all"},), "damaged"),
        (({**AUDIT, "settings": {"link": 1}},), "damaged"),
        (({**AUDIT, "mpi": 4},), "damaged"),
        (({**AUDIT, "ranks": "four"},), "damaged"),
        (({**AUDIT, "sent": [[0, 9, 1, 1]]},), "damaged"),
        (({**RUN, "collectives": [{"tier": "raw"}]},), "damaged"),
        ((AUDIT, RUN), "cannot be compared"),
        ((AUDIT, {**AUDIT, "ranks": 8}), "two different jobs"),
        ((part(0), part(1, job="b2")), "two different jobs"),
        ((part(0), part(0)), "two parts of rank 0"),
        ((part(0), RUN), "of a whole job"),
        ((RUN, RUN, RUN), "one report, two to be compared"),
        ((part(0, part={"rank": 4, "ended_by": ""}),), "damaged"),
        ((part(0, seconds="long"),), "damaged"),
    ],
)
def test_what_is_no_report(run, tmp_path, contents, word):
    done = run(*contents)
    assert done.returncode != 0
    assert word in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
    assert not list(tmp_path.glob("*.html"))


def test_a_report_that_is_not_there(tmp_path):
    done = subprocess.run(
        [sys.executable, SCRIPT, "none.json"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stderr == "tightwire report: cannot read none.json: No such file or directory\n"


@pytest.mark.parametrize("make", [link, dangling_link, pipe])
def test_writes_to_nothing_irregular(run, tmp_path, make):
    path = tmp_path / "page.html"
    (tmp_path / "victim").write_text("as it was")
    make(path, tmp_path / "victim")
    done = run(AUDIT, options=("-o", path))
    assert done.returncode != 0
    assert "cannot write" in done.stderr and len(done.stderr.splitlines()) == 1
    assert (tmp_path / "victim").read_text() == "as it was"


def test_no_device_is_written_to(run):
    done = run(AUDIT, options=("-o", "/dev/full"))
    assert done.returncode != 0 and len(done.stderr.splitlines()) == 1
