"""bench-accuracy: the bounds that docs/user/accuracy.md derives, on a few ranks."""

import csv
import json
from collections import Counter

import pytest
from harness import Part

ENVIRONMENT = {"same-host": "compress", "mode": "bounded", "error-bound": "1"}


@pytest.fixture
def experiment(family, tmp_path):
    program = family.build / "bin" / f"bench-accuracy-{family.name}"
    if not program.exists():
        pytest.skip("the build has no benchmarks: TIGHTWIRE_BENCH is off")

    def run(*arguments, environment=None, ranks=3):
        if environment is None:
            environment = family.preload(ENVIRONMENT)
        files = ["--output", "rows.csv", "--histogram", "bins.csv", "--cache", "fields"]
        command = [str(program), "--bytes", "65536", *files, *arguments]
        return family.run(Part(ranks, command, environment), limit=120, folder=tmp_path)

    return run


def read(file):
    with file.open() as lines:
        return list(csv.DictReader(lines))


@pytest.mark.parametrize("ranks", [2, 5])
def test_bounds_hold(experiment, tmp_path, ranks):
    experiment(ranks=ranks).must_succeed()
    rows = read(tmp_path / "rows.csv")
    assert Counter(row["type"] for row in rows) == {"float32": 24, "float64": 24, "complex64": 12}
    for row in rows:
        assert row["ranks_identical"] == "yes", row
        largest, promised = float(row["max_error_over_bound"]), float(row["promised"])
        # It did compress: an exact result would show no error.
        assert 0 < largest <= promised, row
        if row["op"] == "sum":
            assert float(row["share_within_two_over_sqrt3"]) > 0.95, row
            assert promised == (ranks if row["bound_applies_to"] == "contribution" else 1), row
    bins = read(tmp_path / "bins.csv")
    counts = Counter()
    for row in bins:
        counts[row["field"]] += int(row["count"])
    assert set(counts.values()) == {65536 // 4} and len(counts) == 3


@pytest.mark.parametrize("ranks", [4, 5])
def test_sums_by_every_algorithm(experiment, tmp_path, ranks):
    experiment("--algorithms", "sums.csv", ranks=ranks).must_succeed()
    rows = read(tmp_path / "sums.csv")
    assert len(rows) == 27  # fields, codecs, algorithms
    for row in rows:
        assert row["ranks_identical"] == "yes", row
        # Combining two encodings makes one more each time.
        encodings = ranks if row["codec"] == "bounded" else 2 * ranks - 1
        assert 0 < float(row["max_error_over_bound"]) <= encodings, row
        assert float(row["psnr_db"]) > 60, row
    ours = [row for row in rows if row["codec"] == "bounded"]
    assert {row["bits_of_ring"] for row in ours} == {"yes"}
    # Else the setting would have been without effect.
    others = {row["bits_of_ring"] for row in rows if row["algorithm"] == "recursive-doubling"}
    assert others == {"yes", "no"}


def test_refusals(experiment, tmp_path):
    for arguments, environment, word in (
        (["--fields", "snow"], None, '"snow"'),
        (["--relative-bound", "-1"], None, "-1"),
        ([], {}, "run this under tightwire"),
    ):
        outcome = experiment(*arguments, environment=environment)
        assert outcome.code != 0 and outcome.stderr.count(word) == 1, str(outcome)
        assert not (tmp_path / "rows.csv").exists()


@pytest.mark.parametrize("codec", ["bounded", "sz3"])
def test_products_are_exact_and_complex_sums_within_the_bound(family, tmp_path, codec):
    """Of reals and complex values, in every reduction (MPI 4.0, 6.9): programs/products.c."""
    report = tmp_path / "report.json"
    settings = {**ENVIRONMENT, "error-bound": "1e-2", "bounded-codec": codec, "report": str(report)}
    command = [str(family.program("products")), "1e-2"]
    outcome = family.run(Part(3, command, family.preload(settings)), limit=60).must_succeed()
    assert "results 120, wrong 0\n" in outcome.stdout, str(outcome)
    rows = json.loads(report.read_text())["collectives"]
    for call in ("Allreduce", "Reduce", "Reduce_scatter", "Scan"):
        assert {"exact", "bounded"} <= {row["tier"] for row in rows if row["collective"] == call}


@pytest.mark.parametrize(("number", "lines"), [("1e12", 1), ("290", 0)])
def test_a_bound_that_wipes_out_values_is_told_of_once(family, number, lines):
    settings = {**ENVIRONMENT, "error-bound": "rel:1e-4"}
    command = [str(family.program("has_sentinel")), number]
    outcome = family.run(Part(2, command, family.preload(settings)), limit=60).must_succeed()
    assert outcome.stderr.count("wipes out values: 50000 of them") == lines, str(outcome)


@pytest.mark.parametrize("bound", ["1e-15", "rel:1e-17", "1e-3"])
def test_the_report_says_exact_where_a_bound_is_below_the_type(family, tmp_path, bound):
    """Doubles of about 290 are 5.7e-14 apart."""
    report = tmp_path / "report.json"
    settings = {**ENVIRONMENT, "error-bound": bound, "report": str(report)}
    command = [str(family.program("has_sentinel")), "290"]
    family.run(Part(2, command, family.preload(settings)), limit=60).must_succeed()
    rows = json.loads(report.read_text())["collectives"]
    tiers = {(row["collective"], row["tier"], row["largest_error_bound"]) for row in rows}
    expected = ("bounded", 1e-3) if bound == "1e-3" else ("exact", 0)
    assert tiers == {("Bcast", *expected), ("Send", *expected)}
