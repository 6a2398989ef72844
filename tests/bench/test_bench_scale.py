"""./run bench scale: the real collectives among simulated ranks keep their promises, times are the
simulator's alone, and what has been measured is not measured again."""

import csv
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
sys.path.insert(0, str(BENCH))
import scale  # noqa: E402  (found through the line above)
import scale_job  # noqa: E402
import scale_plot  # noqa: E402
import scale_validation  # noqa: E402
from keyed_rows import key_of, known_rows  # noqa: E402

OPERATIONS = "allreduce,reduce_scatter,allgather,bcast,scatter"


@pytest.fixture(scope="session")
def simulator(build_folder):
    """Where CMake found no SimGrid, or was told to leave it out, nothing can be simulated."""
    if "TIGHTWIRE_SIMULATION:INTERNAL=smpi\n" not in (build_folder / "CMakeCache.txt").read_text():
        pytest.skip("no SimGrid in this build: apt-get install libsimgrid-dev, then ./run build")
    assert shutil.which("smpirun") and (build_folder / "bin/bench-scale-smpi").exists()


@pytest.fixture(scope="session")
def prepared(simulator, tmp_path_factory):
    folder = tmp_path_factory.mktemp("scale")
    return scale_job.prepare("turbulence", 1 << 20, 1e-4, folder)


def run(
    prepared, nodes=16, operations=OPERATIONS, methods="tightwire", ranks_per_node=1,
    size=1 << 20, link=1, before=8, speedups="", wire=None, results="own", values="shifted",
    **more,
):  # fmt: skip
    prefix, bound = prepared
    job = scale_job.Job("fat_tree", link, nodes, ranks_per_node, wire=wire or scale_job.Wire())
    settings = {"TIGHTWIRE_ERROR_BOUND": bound, "TIGHTWIRE_BOUND_APPLIES_TO": "result"} | more
    arguments = [methods, operations, str(size), bound, str(prefix), str(before), "1", results]
    return scale_job.simulate(job, arguments, settings, speedups, values=values)


def test_promises_hold_among_simulated_ranks(prepared):
    rows = run(prepared)
    assert [row["op"] for row in rows] == OPERATIONS.split(",")
    for row in rows:
        assert row["ranks"] == "16" and row["ranks_identical"] == "1", row
        assert 0 < float(row["max_error_over_bound"]) <= 1, row
        assert row["algorithm"] != "plain" and int(row["sent_bytes"]) > 0, row


def test_of_results_in_one_memory_nothing_is_said(prepared):
    """All ranks write theirs over each other's."""
    for row in run(
        prepared, nodes=4, operations="allreduce", methods="raw,tightwire", results="shared"
    ):
        assert (row["max_error_over_bound"], row["ranks_identical"]) == ("", ""), row
        assert bool(row["sent_bytes"]) == (row["method"] == "tightwire"), row


def test_a_short_broadcast_is_quicker_than_plain(prepared):
    """By a threshold that is given, or its ranks would first see many of them go to MPI."""
    short = {"operations": "bcast", "methods": "raw,tightwire", "size": 1 << 16, "link": 1}
    rows = run(prepared, **short, TIGHTWIRE_THRESHOLD_BOUNDED="64K")
    raw, ours = (float(row["seconds"]) for row in rows)
    assert ours < raw, rows


def test_a_broadcast_goes_to_each_host_once(prepared):
    """Or the links would carry it nearly as often as a host has ranks."""
    hosts = {"nodes": 4, "ranks_per_node": 8, "operations": "bcast", "methods": "raw,tightwire"}
    raw, ours = run(prepared, **hosts, link=10, before=16)
    assert ours["algorithm"] != "plain", ours
    assert float(ours["seconds"]) < 0.5 * float(raw["seconds"]), (raw, ours)


@pytest.mark.parametrize("size", [1 << 16, 1 << 18])
def test_children_in_a_binomial_tree_do_not_share_a_link(prepared, size):
    """The deepest would be late: four transfers in a row would take as long as ten."""
    short = {"operations": "bcast", "methods": "tightwire", "size": size, "link": 10}
    (ours,) = run(prepared, **short, TIGHTWIRE_MODE="exact")  # of little gain
    four_transfers = 4 * size / 1.25e9
    assert ours["algorithm"] != "plain" and float(ours["seconds"]) < 1.5 * four_transfers, ours


# Of the whole vector over one link, among 16 ranks, as MPICH 4.0 carries them out.
PLAIN = {"allgather": 15 / 16, "reduce_scatter": 15 / 16, "bcast": 2 * 15 / 16, "scatter": 15 / 16,
         "gather": 15 / 16, "allreduce": 2 * 15 / 16}  # fmt: skip


def test_plain_mpi_crosses_links_as_mpich_does(prepared):
    """SMPI's own choice under that name takes 1.4 (Scatter) to 2.1 times as long (Bcast)."""
    rows = run(prepared, operations=",".join(PLAIN), methods="raw")
    transfer = (1 << 20) / 125e6
    for row in rows:
        least = PLAIN[row["op"]] * transfer
        assert 0.99 * least < float(row["seconds"]) < 1.15 * least, (row, least)


def test_blocks_go_to_a_root_and_from_it_among_ranks_that_are_no_power_of_two(prepared):
    """A tree's last branches are cut then. Ours are within the bound."""
    rows = run(prepared, nodes=11, operations="gather,scatter", methods="raw,tightwire",
               TIGHTWIRE_THRESHOLD_BOUNDED="64K")  # fmt: skip
    for row in rows:
        is_plain = row["method"] == "raw"
        assert (float(row["max_error_over_bound"]) == 0) == is_plain, row
        assert float(row["max_error_over_bound"]) <= 1, row
        assert is_plain or row["algorithm"] != "plain", row


def test_blocks_for_a_root_are_judged_by_its_link(prepared):
    """One of 32 KiB alone takes as long encoded; 31 share the link, and wait for it."""
    gather = {"nodes": 32, "operations": "gather", "methods": "raw,tightwire", "link": 10}
    raw, ours = run(prepared, **gather, before=100, TIGHTWIRE_THRESHOLD_BOUNDED="8K")
    assert ours["algorithm"] != "plain", ours
    assert float(ours["seconds"]) < 0.7 * float(raw["seconds"]), (raw, ours)


def test_errors_are_told_by_their_root_mean_square_too(prepared):
    """Of one encoding they are spread evenly over a bound to either side; the root has none."""
    (row,) = run(prepared, nodes=4, operations="bcast")
    expected = math.sqrt(3 / 4 / 3)
    assert float(row["rms_error_over_bound"]) == pytest.approx(expected, abs=0.03), row


def test_plain_mpi_reduces_and_broadcasts_over_hosts(prepared):
    """To each host once, and the sums are right."""
    hosts = {"nodes": 4, "ranks_per_node": 4, "operations": "allreduce,bcast"}
    for row in run(prepared, **hosts, methods="raw"):
        assert float(row["max_error_over_bound"]) <= 1 and row["ranks_identical"] == "1", row
        assert float(row["seconds"]) < 3 * (1 << 20) / 125e6, row


def test_blocks_that_go_around_a_ring_are_encoded_once(prepared):
    """Where nothing may be measured, too: one link alone would not repay it, seven do."""
    told = {"TIGHTWIRE_DETERMINISTIC": "on", "TIGHTWIRE_LINK": "10G"}
    raw, ours = run(
        prepared, nodes=8, link=10, operations="allgather", methods="raw,tightwire", **told
    )
    assert ours["algorithm"] != "plain", ours
    assert float(ours["seconds"]) < 0.5 * float(raw["seconds"]), (raw, ours)


def test_several_ranks_on_a_node(prepared):
    (row,) = run(prepared, nodes=4, ranks_per_node=4, operations="allreduce")
    assert row["ranks"] == "16" and row["ranks_identical"] == "1"
    assert float(row["max_error_over_bound"]) <= 1


def bits_of_sums(prepared, methods="tightwire", **job):
    """Of an Allreduce and a Reduce_scatter of terms that do not depend on the number of ranks."""
    job |= {"operations": "allreduce,reduce_scatter", "values": "dealt", "before": 1}
    rows = run(prepared, methods=methods, **job, TIGHTWIRE_MODE="bounded")
    assert all(float(row["max_error_over_bound"]) <= 8 for row in rows), rows
    assert all(row["ranks_identical"] == "1" and len(row["sum_bits"]) == 16 for row in rows), rows
    return [row["sum_bits"] for row in rows]


def test_sums_of_so_many_terms_have_the_same_bits_for_any_number_of_ranks(prepared):
    places = ({"nodes": 8}, {"nodes": 16}, {"nodes": 4, "ranks_per_node": 4})
    found = [bits_of_sums(prepared, **place, TIGHTWIRE_SUM_TERMS="64") for place in places]
    assert len({bits for of_two in found for bits in of_two}) == 1, found


def test_without_so_many_terms_bits_depend_on_the_number_of_ranks(prepared):
    found = [bits_of_sums(prepared, nodes=nodes) for nodes in (8, 16)]
    assert set(found[0]).isdisjoint(found[1]), found
    plain = [bits_of_sums(prepared, methods="raw", nodes=nodes) for nodes in (8, 16)]
    assert set(plain[0]).isdisjoint(plain[1]), plain


def test_with_the_bound_on_each_contribution_bits_are_the_same_in_any_case(prepared):
    told = {"TIGHTWIRE_BOUND_APPLIES_TO": "contribution"}
    found = [bits_of_sums(prepared, nodes=nodes, **told) for nodes in (8, 16)]
    assert len({bits for of_two in found for bits in of_two}) == 1, found


def test_terms_are_not_dealt_to_a_few_ranks(prepared, capfd):
    with pytest.raises(SystemExit):
        bits_of_sums(prepared, nodes=4)
    assert "eight ranks or more" in capfd.readouterr().err


def test_simulated_times_do_not_depend_on_the_machine(prepared):
    assert run(prepared, nodes=4) == run(prepared, nodes=4)


@pytest.mark.parametrize(
    ("nodes", "size", "more"),
    [(8, 1 << 16, {}), (2, 1 << 16, {}), (8, 1 << 20, {"TIGHTWIRE_CHUNKS": "8"})],
    ids=["grid", "own neighbours", "in chunks"],
)
def test_faces_of_a_halo_are_within_the_bound(prepared, nodes, size, more):
    job = {"nodes": nodes, "operations": "halo", "size": size, "before": 16} | more
    raw, ours = run(prepared, **job, methods="raw,tightwire,ccoll")
    assert (raw["method"], float(raw["max_error_over_bound"])) == ("raw", 0)
    assert ours["method"] == "tightwire" and ours["algorithm"] == "bounded", ours
    assert 0 < float(ours["max_error_over_bound"]) <= 1, ours
    assert raw["ranks_identical"] == ours["ranks_identical"] == "", (raw, ours)
    assert 0 < int(ours["sent_bytes"]) < nodes * 6 * size, ours
    assert float(ours["seconds"]) < float(raw["seconds"]), (raw, ours)


def test_a_halo_takes_the_same_time_at_every_run(prepared):
    job = {"nodes": 8, "operations": "halo", "size": 1 << 16, "before": 24, "link": 10}
    assert run(prepared, **job) == run(prepared, **job)


def test_ranks_learn_of_messages_that_do_not_pay(prepared, dear):
    job = {"nodes": 8, "operations": "halo", "methods": "raw,tightwire", "size": 1 << 16}
    job |= {"before": 24, "link": 10}
    assert run(prepared, **job)[1]["algorithm"] == "bounded"
    raw, ours = run(dear, **job)
    assert ours["algorithm"] == "plain", ours
    assert float(ours["seconds"]) < 1.05 * float(raw["seconds"]), (raw, ours)


def test_c_colls_way_has_no_halo():
    rows = scale_job.rows_wanted(["bcast", "halo"], ["raw", "ccoll"])
    assert rows == [("bcast", "raw"), ("bcast", "ccoll"), ("halo", "raw")]


def at_tenth_of_gigabyte(prepared, name, is_meant):
    """The same with a codec of 0.1 GB/s in the kinds of work that are meant."""
    prefix, bound = prepared
    slower = prefix.with_name(name)
    shutil.copy(f"{prefix}.f32", f"{slower}.f32")
    lines = [line.split() for line in Path(f"{prefix}.costs").read_text().splitlines()]
    text = "".join(f"{w} {fixed} {'1e-8' if is_meant(w) else each}\n" for w, fixed, each in lines)
    Path(f"{slower}.costs").write_text(text)
    return slower, bound


@pytest.fixture
def dear(prepared):
    return at_tenth_of_gigabyte(prepared, "slower", lambda work: True)


@pytest.fixture
def dear_coder(prepared):
    return at_tenth_of_gigabyte(prepared, "slower_coder", lambda work: work.endswith("_coded"))


def test_work_of_codecs_is_charged(prepared, dear):
    always = {"nodes": 4, "operations": "allreduce", "TIGHTWIRE_MODE": "bounded"}
    (row,) = run(prepared, **always)
    (charged,) = run(dear, **always)
    assert charged["sent_bytes"] == row["sent_bytes"]
    # Every rank works on every byte at least once.
    assert float(charged["seconds"]) > 1e-8 * (1 << 20) > float(row["seconds"])


def test_the_entropy_coder_is_charged_at_its_own_cost(prepared, dear_coder):
    always = {"nodes": 2, "operations": "bcast,allreduce", "TIGHTWIRE_MODE": "bounded"}
    assert run(dear_coder, **always) == run(prepared, **always)
    always["TIGHTWIRE_BOUNDED_CODEC"] = "bounded+entropy"
    bcast, allreduce = run(prepared, **always)
    charged, same = run(dear_coder, **always)
    assert charged["sent_bytes"] == bcast["sent_bytes"]
    assert float(charged["seconds"]) > 1e-8 * (1 << 20) > float(bcast["seconds"])
    # Sums stay on the grid, whose integers are added: no coder.
    assert allreduce == same


def test_a_field_is_prepared_by_each_build_once(simulator, tmp_path):
    prefix, bound = scale_job.prepare("turbulence", 1 << 16, 1e-4, tmp_path)
    costs = Path(f"{prefix}.costs")
    works = [line.split()[0] for line in costs.read_text().splitlines()]
    assert {"encode", "encode_alone", "encode_coded", "decode_coded"} < set(works)
    costs.write_text("of before\n")
    assert scale_job.prepare("turbulence", 1 << 16, 1e-4, tmp_path) == (prefix, bound)
    assert costs.read_text() == "of before\n"
    os.utime(f"{prefix}.bound", (0, 0))
    assert scale_job.prepare("turbulence", 1 << 16, 1e-4, tmp_path) == (prefix, bound)
    assert len(costs.read_text().splitlines()) == len(works)


def test_a_core_that_carries_what_it_sends_is_charged_for_that(prepared):
    """Each of two ranks at least once for what it sends, and once for what comes."""
    always = {"nodes": 2, "operations": "allreduce", "TIGHTWIRE_MODE": "bounded"}
    (row,) = run(prepared, **always)
    (carried,) = run(prepared, **always, wire=scale_job.Wire(carry_per_byte=1e-8))
    more = float(carried["seconds"]) - float(row["seconds"])
    of_a_rank = int(row["sent_bytes"]) / 2
    assert 1e-8 * of_a_rank < more < 4e-8 * of_a_rank, (row, carried)


def test_ranks_learn_by_simulated_time_what_does_not_pay(prepared, dear):
    job = {"nodes": 4, "operations": "allreduce", "methods": "raw,tightwire"}
    assert run(prepared, **job)[1]["algorithm"] != "plain"
    raw, ours = run(dear, **job)
    assert ours["algorithm"] == "plain", ours
    assert float(ours["seconds"]) < 1.02 * float(raw["seconds"]), (raw, ours)


FOUR_THREADS = {"speedups": "1 1 1\n2 2 2\n3 3 3\n4 4 4\n", "TIGHTWIRE_THREADS": "4"}


def test_threads_share_the_work_of_codecs(dear):
    """Of a job that is bound by the codec, and reckons with a quicker one; in chunks that a helper
    has use for each."""
    told = {"TIGHTWIRE_DETERMINISTIC": "on", "TIGHTWIRE_LINK": "1G", "TIGHTWIRE_ALGORITHM": "ring"}
    told |= {"nodes": 4, "operations": "allreduce,bcast", "TIGHTWIRE_CHUNKS": "8"}
    alone = run(dear, **told)
    four = run(dear, **told, **FOUR_THREADS)
    for one, shared in zip(alone, four, strict=True):
        assert one["algorithm"] != "plain" and shared["ranks_identical"] == "1", (one, shared)
        gain = float(one["seconds"]) / float(shared["seconds"])
        assert 1.1 < gain < 4, (one, shared)
        assert float(shared["max_error_over_bound"]) <= 1, shared


@pytest.mark.parametrize(("ranks_per_node", "least"), [(1, 3.6), (2, 1.45)], ids=("ring", "lanes"))
def test_helpers_have_work_along_rings(dear, ranks_per_node, least):
    """Each rank works on several chunks at once, over lanes too. A segment here has work for four
    threads, a lane's slice for two."""
    told = {"TIGHTWIRE_DETERMINISTIC": "on", "TIGHTWIRE_LINK": "1G", "TIGHTWIRE_ALGORITHM": "ring"}
    told |= {"nodes": 2, "ranks_per_node": ranks_per_node, "link": 100, "TIGHTWIRE_CHUNKS": "8"}
    told |= {"operations": "allreduce,reduce_scatter"}
    for one, shared in zip(run(dear, **told), run(dear, **told, **FOUR_THREADS), strict=True):
        assert one["algorithm"] == shared["algorithm"] == "ring", (one, shared)
        assert float(one["seconds"]) / float(shared["seconds"]) > least, (one, shared)


def test_threads_whose_gain_nobody_measured_are_refused(prepared, capfd):
    with pytest.raises(SystemExit):
        run(prepared, nodes=2, operations="bcast", speedups="1 1 1\n", TIGHTWIRE_THREADS="2")
    assert "no speed-up is known of 2 threads" in capfd.readouterr().err


@pytest.mark.parametrize("text", ["2 1 1\n", "1 1\n", "1 1 0\n", "one 1 1\n"])
def test_bad_speedups_are_refused(prepared, text, capfd):
    with pytest.raises(SystemExit):
        run(prepared, nodes=2, operations="bcast", speedups=text)
    assert "speedups: line 1" in capfd.readouterr().err


@pytest.mark.parametrize("field", ["turbulence", "climate_of_tomorrow"])
def test_speedups_are_those_of_sixteen_cores(field):
    lines = scale_job.measured_speedups(field).splitlines()
    assert [line.split()[0] for line in lines] == [str(n) for n in range(1, 17)]
    assert lines[15].split()[1:] == ["9.332", "9.251"]


def test_pictures_show_sizes_ranks_and_links(tmp_path):
    row = dict.fromkeys(scale.KEY + scale.MEASURED, "") | scale_plot.COMMON
    row |= {"op": "bcast", "method": "tightwire", "threads": "1", "field": "turbulence"}
    row |= {"link_gbps": "100", "rel_bound": "0.0001"}
    rows = [
        row | {"nodes": nodes, "bytes": size, "speedup": "3"}
        for nodes, size in (("32", "65536"), ("32", "67108864"), ("128", "67108864"))
    ]
    of_links = row | {"nodes": "2", "bytes": str(32 << 20), "rel_bound": "0.001", "speedup": "3"}
    rows += [of_links | {"link_gbps": link} for link in ("25", "100")]
    scale_plot.draw_all(tmp_path, rows[:1])
    assert not list(tmp_path.iterdir())
    scale_plot.draw_all(tmp_path, rows)
    names = ["scale_ranks.png", "scale_sizes.png", "scale_threads.png"]
    assert sorted(file.name for file in tmp_path.iterdir()) == names
    without = [(tmp_path / name).read_bytes() for name in names]
    compared(tmp_path, ("bcast", "raw", "1", "auto", "10", "10"),
             ("bcast", "tightwire", "1", "auto", "5", "4"))  # fmt: skip
    scale_plot.draw_all(tmp_path, rows)
    for name, before in zip(names, without, strict=True):
        assert (tmp_path / name).read_bytes() != before, name


def test_bars_reach_from_the_worst_to_the_best_of_the_lab():
    axes = scale_plot.pyplot.figure().subplots()
    line = [(2, 3.0, False), (8, 1.0, True)]
    scale_plot.draw_bars(axes, line, [0.5, -0.25, 0.1], {"color": "red"})
    (bar,) = axes.collections  # none where calls are left to MPI
    assert bar.get_segments()[0].tolist() == [[2, 2], [2, 4]]
    scale_plot.pyplot.close()


def test_bad_costs_are_refused(prepared, capfd):
    prefix, bound = prepared
    bad = prefix.with_name("bad")
    shutil.copy(f"{prefix}.f32", f"{bad}.f32")
    Path(f"{bad}.costs").write_text("encode fast\n")
    with pytest.raises(SystemExit):
        run((bad, bound), nodes=2, operations="bcast")
    assert "bad.costs: line 1" in capfd.readouterr().err


def rows_of(results, name="scale.csv"):
    with (results / name).open(newline="") as lines:
        return list(csv.DictReader(lines))


def test_vectors_that_grow_with_the_ranks():
    words = ["--nodes", "2,8", "--ranks-per-node", "2", "--bytes", "1M", "--ops", "scatter"]
    options = scale.parse([*words, "--per-rank"])
    sizes = {job.ranks: size for job, _, _, size in scale.jobs_of(options)}
    assert sizes == {4: 4 << 20, 16: 16 << 20}


def test_sums_of_so_many_terms_have_a_file_of_their_own(simulator, tmp_path):
    command = [sys.executable, BENCH / "scale.py", "--results", tmp_path, "--nodes", "8"]
    command += ["--fields", "turbulence", "--bytes", "64K", "--ops", "allreduce"]
    command += ["--methods", "tightwire", "--selectors", "mpich", "--before", "1", "--calls", "1"]
    command += ["--bound-applies-to", "result", "--sum-terms"]
    found = []
    for terms in ("8", "64"):
        done = subprocess.run([*command, terms], check=True, capture_output=True, text=True).stdout
        rows = rows_of(tmp_path, "scale_sum_terms.csv")
        found.append({row["sum_terms"]: row["sum_bits"] for row in rows})
        assert found[-1][terms] in done
    assert list(found[1]) == ["64", "8"] and found[0]["8"] == found[1]["8"] != found[1]["64"]
    assert [file.name for file in tmp_path.iterdir()] == ["scale_sum_terms.csv"]


def test_resumes(simulator, tmp_path):
    command = [sys.executable, BENCH / "scale.py", "--results", tmp_path, "--nodes", "2"]
    command += ["--fields", "quiet_wavefield", "--bytes", "64K", "--ops", "bcast"]
    first = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    written = (tmp_path / "scale.csv").read_text()
    assert written.count("\n") == 1 + 2 * len(scale.METHODS.split(","))
    calls = {(row["method"], row["before"], row["calls"]) for row in rows_of(tmp_path)}
    assert calls == {("raw", "1", "4"), ("ccoll", "1", "4"), ("tightwire", "1300", "4")}
    assert "not validated" in first
    again = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert again.count("in the file already") == 2 and " ms " not in again
    assert (tmp_path / "scale.csv").read_text() == written


LOOKS = r"""
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char sent[8] = "", received[8];
  int rank, index;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int bytes = 1; bytes < 8; ++bytes) {
    MPI_Request there, here;
    double begin = MPI_Wtime();
    MPI_Irecv(received, bytes, MPI_CHAR, rank, 0, MPI_COMM_WORLD, &there);
    MPI_Isend(sent, bytes, MPI_CHAR, rank, 0, MPI_COMM_WORLD, &here);
    MPI_Wait(&here, MPI_STATUS_IGNORE);
    MPI_Waitany(1, &there, &index, MPI_STATUS_IGNORE);
    if (rank == 0) printf("%d %.0f\n", bytes, 1e9 * (MPI_Wtime() - begin));
  }
  MPI_Finalize();
}
"""


def test_a_look_takes_a_tenth_of_a_microsecond(simulator, tmp_path):
    """job/waiting.cpp makes one of a message of MOMENT bytes; others take their usual time."""
    (tmp_path / "looks.c").write_text(LOOKS)
    (tmp_path / "hosts").write_text("node0\nnode1\n")
    job = scale_job.Job("switch", 10, 2)
    (tmp_path / "platform.xml").write_text(scale_job.platform_text(job))
    options = [f"--cfg={key}:{value}" for key, value in scale_job.configuration(job).items()]
    where = ["-np", "2", "-platform", "platform.xml", "-hostfile", "hosts"]
    run = {"cwd": tmp_path, "check": True, "capture_output": True, "text": True, "timeout": 60}
    subprocess.run(["smpicc", "looks.c", "-o", "looks"], **run)
    done = subprocess.run(["smpirun", *where, *options, "./looks"], **run)
    nanoseconds = dict(map(int, line.split()) for line in done.stdout.splitlines())
    assert nanoseconds.pop(scale_job.MOMENT) == pytest.approx(100, abs=2)
    assert len(nanoseconds) == 6 and min(nanoseconds.values()) > 1000, nanoseconds


@pytest.mark.parametrize("nodes", [2, 16, 17, 128, 512])
@pytest.mark.parametrize("topology", ["fat_tree", "dragonfly"])
def test_platforms_have_a_node_for_every_host(topology, nodes):
    job = scale_job.Job(topology, 100, nodes, 2)
    text = scale_job.platform_text(job)
    last = int(text.split('radical="0-')[1].split('"')[0])
    assert last + 1 >= nodes
    assert scale_job.hosts_text(job).splitlines().count(f"node{nodes - 1}") == 2


def compared(results, *of):
    """Writes validation rows: operation, method, ranks of a host, algorithm, lab, simulated."""
    rows = []
    for op, method, ranks, algorithm, lab, simulated in of:
        row = dict.fromkeys(scale_validation.COLUMNS, "2") | {"field": "turbulence", "op": op}
        row |= {"method": method, "ranks_per_host": ranks, "algorithm_asked": algorithm}
        row |= {"lab_ms": lab, "simulated_ms": simulated}
        row["error"] = f"{float(simulated) / float(lab) - 1:.3f}"
        rows.append(row)
    scale_validation.write_csv(results / "scale_validation.csv", scale_validation.COLUMNS, rows)


def test_errors_stand_beside_figures_of_their_kind(tmp_path):
    compared(
        tmp_path,
        ("bcast", "raw", "1", "auto", "10", "11"),
        ("bcast", "tightwire", "1", "auto", "5", "4"),
        ("allreduce", "tightwire", "1", "ring", "10", "13"),
        ("scatter", "tightwire", "2", "auto", "10", "4"),
    )
    validation = scale.Validation(tmp_path)
    row = {"op": "bcast", "method": "tightwire", "field": "turbulence", "algorithm_asked": "auto"}
    row["ranks_per_node"] = "1"
    # A speed-up of 2 in the lab, 2.75 simulated.
    assert validation.beside(row).endswith("ms by 20 %, 20 %, x by 38 %, 38 %")
    assert validation.beside(row | {"method": "raw"}).endswith("ms by 10 %, 10 %")
    for other in ({"field": "noise"}, {"ranks_per_node": "2"}, {"algorithm_asked": "ring"}):
        assert "not validated" in validation.beside(row | other), other
    assert validation.of_all().endswith("25 %, 60 %")
    assert scale.Validation(tmp_path / "none").of_all() == scale.Validation(tmp_path).beside(
        row | {"op": "halo"}
    )


def test_a_switch_as_the_lab_found_it():
    wire = scale_job.Wire(4e-6, 3e-7, ((0, 0.9), (65536, 0.95)))
    job = scale_job.Job("switch", 1, 3, wire=wire)
    text = scale_job.platform_text(job)
    assert 'radical="0-2"' in text and 'lat="3e-07s"' in text and "topo" not in text
    options = scale_job.configuration(job)
    assert options["smpi/bw-factor"] == "0:0.9000;65536:0.9500"
    assert options["smpi/os"] == options["smpi/or"] == "0:4e-06:0;2:0:0;3:4e-06:0"


def test_validation_replaces_its_own_points_only(tmp_path):
    rows = [dict.fromkeys(scale_validation.COLUMNS, "0") | {"hosts": n} for n in ("2", "4")]
    file = tmp_path / "scale_validation.csv"
    scale_validation.write_csv(file, scale_validation.COLUMNS, rows)
    known = known_rows(file, scale_validation.COLUMNS, scale_validation.POINT)
    assert [row["hosts"] for row in known.values()] == ["2", "4"]
    known |= {key_of(rows[1], scale_validation.POINT): rows[1] | {"error": "0.1"}}
    assert [row["error"] for row in known.values()] == ["0", "0.1"]


def refused(script, arguments, word, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [f"{script.__name__}.py", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        script.main()
    told = capsys.readouterr().err
    assert ended.value.code == 2 and word in told.splitlines()[-1], told


@pytest.mark.parametrize("places", ["3x1", "2x", "2", ""])
def test_bad_places_to_validate(places, monkeypatch, capsys):
    refused(scale_validation, ["--places", places], f"'{places}'", monkeypatch, capsys)


OF_TERMS = ["--sum-terms", "16", "--ops", "allreduce", "--bound-applies-to", "result"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--bytes", "3K"], "'3K'"),
        (["--algorithm", "fastest"], "fastest"),
        (["--ops", "halo", "--methods", "ccoll"], "no halo"),
        (["--per-rank"], "alltoall"),
        (["--per-rank", "--ops", "bcast"], "alltoall"),
        (["--sum-terms", "512", "--ops", "scatter"], "there are sums in"),
        (["--sum-terms", "512", "--ops", "allreduce"], "name result"),
        ([*OF_TERMS, "--nodes", "32"], "as many terms as ranks"),
        ([*OF_TERMS, "--nodes", "4"], "8 ranks"),
    ],
)
def test_bad_arguments(tmp_path, arguments, word, monkeypatch, capsys):
    results = tmp_path / "results"
    refused(scale, ["--results", results, *arguments], word, monkeypatch, capsys)
    assert not results.exists()
