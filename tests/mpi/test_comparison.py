"""bench-comparison, on one host: every method gives right results, and bad input is refused."""

import csv

import pytest
from harness import Part

QUICK = ["--bytes", "64K", "--seconds", "0.05", "--fewest", "2", "--field", "turbulence"]
FILES = ["--output", "results.csv", "--breakdown", "breakdown.csv", "--cache", "fields"]
OPERATIONS = ["allreduce", "allgather", "reduce_scatter", "bcast", "scatter", "gather", "alltoall"]
METHODS = [
    "raw",
    "raw-best",
    "cprp2p",
    "cprp2p-zfp-rate",
    "cprp2p-zfp-accuracy",
    "ccoll",
    "ccoll-szp",
    "ccoll-szx",
    "tightwire",
    "tightwire-result",
]
KEEPS_NO_BOUND = ["cprp2p-zfp-rate"]
OURS = ("tightwire", "tightwire-result")
PARTS = ("compress", "merge", "decompress", "communicate", "wait", "other")


def key_of(row):
    return tuple(row[name] for name in ("op", "method", "bytes"))


@pytest.fixture(scope="module")
def quick_tables(tmp_path_factory):
    """Of a run of all methods, by MPI and number of ranks: one is enough for all who look at it."""
    return {}, tmp_path_factory


@pytest.fixture
def quickly(compare, family, quick_tables):
    """The rows of the results and of the breakdown."""
    known, folders = quick_tables

    def run(ranks=3):
        place = (family.name, ranks)
        if place not in known:
            folder = folders.mktemp("quick")
            compare(*QUICK, ranks=ranks, folder=folder).must_succeed()
            known[place] = rows(folder / "results.csv"), rows(folder / "breakdown.csv")
        return known[place]

    return run


@pytest.fixture
def compare(family, tmp_path):
    program = family.build / "bin" / f"bench-comparison-{family.name}"
    if not program.exists():
        pytest.skip("the build has no benchmarks: TIGHTWIRE_BENCH is off")

    def run(*arguments, environment=None, ranks=3, folder=tmp_path):
        if environment is None:
            # As the benchmark's are by default: all calls are alike, and none is to gain by that.
            settings = {"same-host": "compress", "mode": "bounded", "history": "off"}
            environment = family.preload(settings)
            environment["TIGHTWIRE_ERROR_BOUND"] = "1"
        environment["OMPI_MCA_coll_tuned_use_dynamic_rules"] = "1"
        part = Part(ranks, [str(program), *FILES, *arguments], environment)
        return family.run(part, limit=120, folder=folder)

    return run


def rows(file):
    with file.open() as lines:
        return list(csv.DictReader(lines))


@pytest.mark.either_mpi
@pytest.mark.parametrize("ranks", [2, 3, 4, 5])
def test_every_method_is_right(quickly, ranks):
    results, _ = quickly(ranks)
    movement = [method for method in METHODS if method != "tightwire-result"]
    reductions = ("allreduce", "reduce_scatter")
    assert [(row["op"], row["method"]) for row in results] == [
        (op, method) for op in OPERATIONS for method in (METHODS if op in reductions else movement)
    ]
    for row in results:
        error = float(row["max_error_over_bound"])
        # In a tree CPRP2P compresses what has been compressed before.
        assert error <= 3 or row["method"] in KEEPS_NO_BOUND, row
        assert error < 2000, row
        assert int(row["hosts"]) == ranks and float(row["median_ms"]) > 0, row
        if row["method"].startswith("raw"):
            assert error < 0.01, row
        if row["method"] == "ccoll-szx":
            assert 0.01 < error <= 1, row
        if row["method"] in OURS:
            assert 0.1 < error <= 1 and row["ranks_identical"] == "yes", row


def test_the_breakdown_sums_up(quickly):
    results, breakdown = quickly()
    assert len(breakdown) == len(results)
    for row in breakdown:
        parts = {name: float(row[f"{name}_ms"]) for name in PARTS}
        assert all(value >= 0 for value in parts.values()), row
        assert parts["communicate"] + parts["wait"] > 0, row
        plain = row["method"].startswith("raw")
        moves_alone = row["op"] not in ("allreduce", "reduce_scatter")
        codec = parts["compress"] + parts["merge"] + parts["decompress"]
        assert (codec > 0) == (not plain), row
        assert (parts["merge"] > 0) == (not plain and not moves_alone), row
        assert (parts["wait"] > 0) == (not plain), row
        assert (row["algorithm"] != "") == (row["method"] == "raw-best"), row


def test_the_parts_are_of_the_median_call(quickly):
    results, breakdown = quickly()
    medians = {key_of(row): float(row["median_ms"]) for row in results}
    for row in breakdown:
        total = sum(float(row[f"{name}_ms"]) for name in PARTS)
        # Each has four digits behind the point.
        assert total == pytest.approx(medians[key_of(row)], abs=0.0005), row


def test_what_is_told_of_earlier_messages_is_time_of_mpi(compare, family, tmp_path):
    """A receiver's answer is sent while a call decodes: it is none of the codec's time as well."""
    settings = {"same-host": "compress", "mode": "bounded", "error-bound": "1"}
    environment = family.preload(settings, behind=("dear_answers",))
    arguments = ("--methods", "tightwire", "--ops", "bcast,allgather")
    compare(*QUICK, *arguments, environment=environment, ranks=2).must_succeed()
    for row in rows(tmp_path / "breakdown.csv"):
        parts = {name: float(row[f"{name}_ms"]) for name in PARTS}
        assert min(parts.values()) >= 0, row
        if row["method"] == "tightwire":
            assert parts["wait"] > 1.9, row


def test_a_call_that_went_plain_has_no_parts_of_the_codec(compare, family, tmp_path):
    environment = family.preload({"same-host": "compress", "threshold-bounded": "never"})
    arguments = ("--methods", "tightwire", "--ops", "bcast")
    compare(*QUICK, *arguments, environment=environment).must_succeed()
    (row,) = [row for row in rows(tmp_path / "breakdown.csv") if row["method"] == "tightwire"]
    assert row["algorithm"] == "plain"
    assert float(row["compress_ms"]) == float(row["merge_ms"]) == float(row["decompress_ms"]) == 0


def test_files_and_results(compare, tmp_path):
    folder = tmp_path / "ranks"
    folder.mkdir()
    (tmp_path / "results").mkdir()
    for rank in range(3):
        (folder / f"{rank}.f32").write_bytes(bytes([0, 0, 128, 63]) * 3000)  # 1.0
    arguments = ["--files", "ranks", "--save", "results", "--error-bound", "1e-3"]
    compare(*arguments, "--ops", "allreduce", "--seconds", "0.05").must_succeed()
    saved = {file.stem for file in (tmp_path / "results").iterdir()}
    assert saved == set(METHODS)
    assert (tmp_path / "results" / "raw.f32").read_bytes() == bytes([0, 0, 64, 64]) * 3000  # 3.0
    assert {row["field"] for row in rows(tmp_path / "results.csv")} == {"files"}


def refused(outcome, tmp_path, *words):
    assert not outcome.timed_out and outcome.code != 0, str(outcome)
    for word in words:
        assert outcome.stderr.count(word) == 1, str(outcome)
    assert not (tmp_path / "results.csv").exists(), str(outcome)


def test_bad_option(compare, tmp_path):
    refused(compare("--ops", "scan"), tmp_path, '"scan" is not one of allreduce')


def test_files_that_are_not_there(compare, tmp_path):
    refused(compare("--files", "missing"), tmp_path, "cannot read missing/0.f32")


def test_without_the_preload_library(compare, tmp_path):
    refused(compare(environment={}), tmp_path, "run this under tightwire")


def test_one_rank(compare, tmp_path):
    refused(compare(ranks=1), tmp_path, "one rank sends no messages")
