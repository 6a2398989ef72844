"""Collectives that move data: a sample of the sender's values chooses among the exact codecs."""

import json

import pytest
from harness import Part

RANKS = 3
ON_A_SLOW_LINK = {"host-ranks": "1", "link": "20M", "history": "off"}


def rows_of(family, folder, data, rounds=12, **settings):
    """Of the calls that were compressed."""
    report = folder / "report.json"
    program = [str(family.program("text_and_fields")), data, str(rounds)]
    settings = {**ON_A_SLOW_LINK, **settings, "report": str(report)}
    outcome = family.run(Part(RANKS, program, family.preload(settings))).must_succeed()
    assert outcome.stdout.count(f"rounds {rounds}, wrong 0") == RANKS
    rows = json.loads(report.read_text())["collectives"]
    rows = [row for row in rows if row["tier"] != "raw"]
    assert sum(row["bytes_before"] for row in rows) > 0
    return rows


def codecs_of(family, folder, data, **settings):
    """Of the calls that were compressed, and by how much."""
    rows = rows_of(family, folder, data, **settings)
    before, after = (sum(row[f"bytes_{when}"] for row in rows) for when in ("before", "after"))
    return {row["codec"] for row in rows}, before / after


def test_text_goes_by_zstd(family, tmp_path):
    codecs, ratio = codecs_of(family, tmp_path, "text")
    assert codecs == {"zstd"}
    assert ratio > 2


def test_lines_go_by_lz4_where_zstd_takes_longer_than_the_link(family, tmp_path):
    """Nearly: `exact`, which is planned, is tried before another one is taken for it, but where
    nothing is found out."""
    codecs, ratio = codecs_of(family, tmp_path, "lines", link="5G", deterministic="on")
    assert codecs == {"lz4"}
    assert ratio > 10
    rows = {row["codec"]: row for row in rows_of(family, tmp_path, "lines", link="5G")}
    assert rows["lz4"]["bytes_before"] > 10 * rows["lz4"]["bytes_after"]
    assert set(rows) - {"lz4", "exact"} == set()
    assert codecs_of(family, tmp_path, "lines")[0] == {"zstd"}


def test_fields_go_by_exact(family, tmp_path):
    codecs, ratio = codecs_of(family, tmp_path, "fields")
    assert codecs == {"exact"}
    assert ratio > 1.5


def test_the_planned_codec_is_tried_before_another_one_is_taken_for_it(family, tmp_path):
    """Of the wave a sample finds more than there is for `bounded`, and none of it for zstd."""
    bound = {"error-bound": "1e-4", "link": "5G", "threads": "1"}
    first = rows_of(family, tmp_path, "wave", rounds=1, **bound)
    assert {row["codec"] for row in first} == {"bounded"}
    by_sample = rows_of(family, tmp_path, "wave", rounds=1, deterministic="on", **bound)
    assert "bounded" not in {row["codec"] for row in by_sample}


@pytest.mark.parametrize("codec", ["lz4", "zstd"])
def test_another_codec_is_the_users_word(family, tmp_path, codec):
    assert codecs_of(family, tmp_path, "text", **{"exact-codec": codec})[0] == {codec}
