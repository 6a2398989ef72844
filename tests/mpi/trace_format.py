"""The Trace Event Format of Chrome, as strictly as Perfetto's importer takes it: complete events
("X") with a time and a length that nest on their thread, and names ("M")."""

import json
from collections import defaultdict

TOLERANCE = 0.003  # microseconds: times are rounded to a thousandth


def must_nest(spans):
    """On one thread a span lies inside of another or beside it."""
    open_ends = []
    for begin, _, end, name in sorted((ts, -(ts + dur), ts + dur, name) for ts, dur, name in spans):
        while open_ends and open_ends[-1] <= begin + TOLERANCE:
            open_ends.pop()
        if open_ends:
            assert end <= open_ends[-1] + TOLERANCE, f"{name} at {begin} ends outside of its caller"
        open_ends.append(end)


def read_trace(path):
    """Its complete events."""
    trace = json.loads(path.read_text())
    assert trace["displayTimeUnit"] in ("ms", "ns")
    spans = []
    threads = defaultdict(list)
    named = set()
    for event in trace["traceEvents"]:
        assert isinstance(event["pid"], int) and isinstance(event["tid"], int)
        assert isinstance(event["name"], str) and event["name"]
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "thread_name", "process_sort_index")
            assert len(event["args"]) == 1
            if event["name"] == "thread_name":
                named.add((event["pid"], event["tid"]))
            continue
        assert event["ph"] == "X", event
        assert event["dur"] >= 0 and isinstance(event["cat"], str)
        threads[event["pid"], event["tid"]].append((event["ts"], event["dur"], event["name"]))
        spans.append(event)
    assert set(threads) <= named
    for of_thread in threads.values():
        must_nest(of_thread)
    return spans
