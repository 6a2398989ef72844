"""bench/codec_claims.py finds the rows that a claim is about, and tells what holds."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

import codec_claims


def row(field, codec, bound=0.0, ratio=1.0, speed=1.0, error=1.0):
    return {
        "field": field,
        "codec": codec,
        "error_bound_rel": bound,
        "ratio": ratio,
        "compress_GBps": speed,
        "expand_GBps": speed,
        "max_error_over_bound": error,
        "memcpy_GBps": 10.0,
    }


def claims_of(rows, capsys):
    """What is claimed, and whether it holds."""
    codec_claims.print_claims(rows)
    lines = capsys.readouterr().out.splitlines()
    claims = [line.split(None, 1) for line in lines if line.startswith(" ")]
    return {claim.rsplit(":", 1)[0]: verdict for verdict, claim in claims}


@pytest.mark.parametrize(("ratio", "verdict"), [(14.0, "FAILS"), (14.1, "holds")])
def test_a_mask_is_cheap_where_the_sea_costs_what_it_does_alone(capsys, ratio, verdict):
    rows = [
        row("turbulence", "bounded", 1e-3, ratio=10),
        row("masked_nan", "bounded", 1e-3, ratio=ratio),
    ]
    claims = claims_of(rows, capsys)
    assert claims["masked_nan 0.001: ratio over turbulence's at sea"] == verdict


def test_every_real_field_is_compared_with_sz3(capsys):
    rows = []
    for field, ratio in (("real_good", 9.5), ("real_bad", 8.5)):
        rows += [row(field, "bounded", 1e-3, ratio, 1.0), row(field, "sz3", 1e-3, 10, 0.019)]
    claims = claims_of(rows, capsys)
    assert claims["real_good 0.001, bounded: ratio over SZ3"] == "holds"
    assert claims["real_bad 0.001, bounded: ratio over SZ3"] == "FAILS"


def test_a_second_stage_is_held_to_more(capsys):
    rows = [
        row("real_a", "bounded+coder", 1e-4, 9.5, 0.3),
        row("real_a", "sz3", 1e-4, 10, 0.02),
        row("real_a", "exact+coder", 0.0, 1.87, 0.9),
        row("real_a", "pcodec", 0.0, 2.0, 0.05),
    ]
    claims = claims_of(rows, capsys)
    assert claims["real_a 0.0001, bounded+coder: ratio over SZ3"] == "FAILS"
    assert claims["real_a 0.0001, bounded+coder: speed over SZ3"] == "holds"
    assert claims["real_a exact+coder: ratio over pcodec"] == "holds"
    assert claims["real_a exact+coder: compress in GB/s"] == "FAILS"


def test_a_broken_bound_is_told(capsys):
    rows = [row("sea", "bounded", 1e-3, error=1.01)]
    assert claims_of(rows, capsys) == {"sea: bound over largest error": "FAILS"}


def test_nothing_is_claimed_of_what_was_not_measured(capsys):
    assert claims_of([row("sea", "sz3", 1e-3)], capsys) == {}
