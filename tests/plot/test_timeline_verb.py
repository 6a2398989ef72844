"""src/plot/timeline.py makes one trace of those of a job's ranks, or says what is wrong."""

import importlib
import json
import sys
from pathlib import Path

import pytest
from irregular_files import dangling_link, link, pipe

SCRIPT = Path(__file__).parents[2] / "src" / "plot" / "timeline.py"


def event(rank, name="encode", begin=10.0, length=5.0, **more):
    return {"ph": "X", "name": name, "cat": "codec", "ts": begin, "dur": length, "pid": rank,
            "tid": 0, **more}  # fmt: skip


def part(rank, events=None, **about):
    about = {"timeline": 1, "tightwire": "0.1.0", "job": "a1", "rank": rank, "ranks": 2,
             "ended_by": "", "events_lost": 0, **about}  # fmt: skip
    events = [event(rank), event(rank, begin=20.0)] if events is None else events
    return (
        '{"displayTimeUnit":"ms","otherData":' + json.dumps(about) + ',\n"traceEvents":[\n'
        + ",\n".join(map(json.dumps, events)) + "\n]}\n"
    )  # fmt: skip


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.syspath_prepend(SCRIPT.parent)
    monkeypatch.chdir(tmp_path)

    def merging(*texts, output="trace.json"):
        names = []
        for i, text in enumerate(texts):
            names.append(f"part-{i}.json")
            (tmp_path / names[-1]).write_text(text)
        monkeypatch.setattr(sys, "argv", ["timeline", *names, "-o", str(output)])
        code = None
        try:
            importlib.import_module("timeline").main()
        except SystemExit as end:
            code = end.code
        return code, capsys.readouterr().err

    return merging


def test_parts_become_one_trace(run, tmp_path):
    assert run(part(1), part(0)) == (None, "")
    trace = json.loads((tmp_path / "trace.json").read_text())
    assert [event["pid"] for event in trace["traceEvents"]] == [0, 0, 1, 1]
    assert trace["otherData"]["ranks"] == 2


def test_what_is_not_there_is_told(run):
    code, said = run(part(1, ended_by="SIGTERM", events_lost=9))
    assert code is None
    for word in ("missing: [0]", "first 9 events", "ended by SIGTERM"):
        assert word in said, said


def test_a_part_without_events(run, tmp_path):
    name = {"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "args": {"name": "rank 0"}}
    assert run(part(0, events=[name]), part(1))[0] is None
    assert len(json.loads((tmp_path / "trace.json").read_text())["traceEvents"]) == 3


@pytest.mark.parametrize(
    ("texts", "word"),
    [
        ((part(0)[:-4],), "cut off"),
        ((part(0)[:-60],), "cut off"),
        ((part(0).replace('"dur"', '"long"'),), "damaged"),
        ((part(2),), "damaged"),
        ((part(0, timeline=2),), "another version"),
        ((part(0), part(1, job="b2")), "two different jobs"),
        ((part(0), part(0)), "both of rank 0"),
        (('{"tightwire": "0.1.0", "collectives": []}',), "no timeline"),
        (("",), "no timeline"),
        (("[1]\n",), "no timeline"),
    ],
)
def test_what_is_no_timeline(run, tmp_path, texts, word):
    code, said = run(*texts)
    assert word in code and "\n" not in code and not said
    assert {path.name for path in tmp_path.iterdir()} == {
        f"part-{i}.json" for i in range(len(texts))
    }


def test_a_file_that_is_not_there(run, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["timeline", "none.json", "-o", "trace.json"])
    with pytest.raises(SystemExit, match="No such file"):
        importlib.import_module("timeline").main()


@pytest.mark.parametrize("make", [link, dangling_link, pipe])
def test_writes_to_nothing_irregular(run, tmp_path, make):
    path = tmp_path / "trace.json"
    (tmp_path / "victim").write_text("as it was")
    make(path, tmp_path / "victim")
    code, _ = run(part(0))
    assert "cannot write" in code
    assert (tmp_path / "victim").read_text() == "as it was"
