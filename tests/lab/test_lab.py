"""The lab comes up as it says, MPI sees its hosts and links, and nothing of it stays behind."""

import json
import os
import re
import signal
import subprocess
from itertools import count
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = str(ROOT / "run")
FAMILIES = ("openmpi", "mpich")
NUMBERS = count()
CHECK = subprocess.run([RUN, "lab", "check"], capture_output=True, text=True)
pytestmark = [
    pytest.mark.skipif(CHECK.returncode != 0, reason=CHECK.stderr.strip()),
    pytest.mark.alone,
]
needs_root = pytest.mark.skipif("without root" in CHECK.stdout, reason="needs root's namespaces")


def lab(*arguments, **options):
    """Runs ./run lab ARGUMENTS and returns what came of it."""
    return subprocess.run(
        [RUN, "lab", *map(str, arguments)], capture_output=True, text=True, timeout=120, **options
    )


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def links():
    return set(re.findall(r"^\d+: ([^:@]+)", output("ip", "link"), re.MULTILINE))


def leftovers(name):
    """Namespaces and files of a lab, and what it might have put beside the machine's own links."""
    names = [line.split()[0] for line in output("ip", "netns", "list").splitlines()]
    files = Path("/run/tightwire-lab").glob(f"{name}.*")
    namespaces = [n for n in names if n.startswith(f"tightwire-{name}-")]
    return namespaces + list(files) + sorted(links() - LINKS_BEFORE)


LINKS_BEFORE = links() if CHECK.returncode == 0 else set()


@pytest.fixture
def name(monkeypatch):
    """Name of a lab that is the default of ./run lab here, and is taken down after the test."""
    name = f"test_{os.getpid()}_{next(NUMBERS)}"
    monkeypatch.setenv("TIGHTWIRE_LAB", name)
    yield name
    assert lab("down").returncode == 0
    assert leftovers(name) == []


@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    """The program nodes.c for each family, where every user can run it."""
    folder = tmp_path_factory.mktemp("nodes")
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(0o755)
    for family in FAMILIES:
        source = Path(__file__).with_name("nodes.c")
        output(f"mpicc.{family}", "-o", str(folder / family), str(source))
    return folder


def up(hosts, rate="1gbit"):
    done = lab("up", "--hosts", hosts, "--rate", rate)
    assert done.returncode == 0, done.stderr


@needs_root
def test_links_have_the_stated_rate_at_both_ends(name):
    up(3, "250mbit")
    hosts = [output("tc", "-n", f"tightwire-{name}-host{k}", "qdisc", "show") for k in range(3)]
    for text in hosts:
        assert re.search(r"qdisc tbf .*dev eth0 .*rate 250Mbit", text)
    switch = output("tc", "-n", f"tightwire-{name}-switch", "qdisc", "show")
    assert len(re.findall(r"qdisc tbf .*dev port\d .*rate 250Mbit", switch)) == 3


@needs_root
def test_links_let_through_the_stated_burst(name):
    lab("up", "--hosts", 1, "--burst", "16k").check_returncode()
    text = output("tc", "-n", f"tightwire-{name}-host0", "qdisc", "show")
    assert re.search(r"qdisc tbf .*dev eth0 .*burst 16Kb", text)


@needs_root
def test_rate_0_is_unlimited(name):
    up(2, "0")
    assert "tbf" not in output("tc", "-n", f"tightwire-{name}-host0", "qdisc", "show")


@needs_root
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("per_host", [1, 2])
def test_mpi_sees_one_node_per_host(name, nodes, family, per_host):
    up(3)
    ranks = 3 * per_host
    done = lab("exec", "--mpi", family, "-n", ranks, "--timeout", 60, "--", nodes / family)
    assert done.returncode == 0, done.stderr
    total = sum(range(ranks))
    for rank in range(ranks):
        host = rank // per_host
        line = f"rank {rank} of {ranks} on host{host} with {per_host}, sum {total}"
        assert line in done.stdout


@needs_root
@pytest.mark.parametrize("family", FAMILIES)
def test_messages_cross_the_links_and_are_counted(name, nodes, family):
    up(2)
    before = json.loads(lab("counters", "--json").stdout)
    done = lab("exec", "--mpi", family, "--timeout", 60, "--", nodes / family)
    assert done.returncode == 0, done.stderr
    after = json.loads(lab("counters", "--json").stdout)
    message = 4 << 18
    for host in ("host0", "host1"):
        for way in ("tx_bytes", "rx_bytes"):
            # No allreduce over two ranks moves less than the message each way, or twice as much.
            assert message <= after[host][way] - before[host][way] < 2 * message


@needs_root
def test_a_command_runs_on_the_host_it_is_sent_to(name):
    up(2)
    assert lab("exec", "--host", "host1", "--", "hostname").stdout == "host1\n"
    assert lab("exec", "--host", "host1", "--", "sh", "-c", "exit 5").returncode == 5


@needs_root
def test_down_ends_a_job_whose_mpirun_was_killed(name, nodes, family="openmpi"):
    up(2)
    command = [RUN, "lab", "exec", "--mpi", family, "--", str(nodes / family), "wait"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as job:
        lines = [job.stdout.readline() for _ in range(2)]
        pids = [int(line.split()[-1]) for line in lines]
        assert all(Path(f"/proc/{pid}").exists() for pid in pids)
        job.kill()
        assert lab("down").returncode == 0
    assert leftovers(name) == []
    for pid in pids:
        state = Path(f"/proc/{pid}/stat")
        assert not state.exists() or " Z " in state.read_text()


def begin_to_come_up(name):
    """A large lab on its way up, of which at least one host exists."""
    coming = subprocess.Popen([RUN, "lab", "up", "--hosts", "100"], stderr=subprocess.DEVNULL)
    while not leftovers(name):
        assert coming.poll() is None
    return coming


@needs_root
def test_up_cleans_up_when_it_is_ended(name):
    coming = begin_to_come_up(name)
    coming.send_signal(signal.SIGTERM)
    assert coming.wait() == 128 + signal.SIGTERM
    assert leftovers(name) == []


@needs_root
def test_down_cleans_up_after_up_was_killed(name):
    coming = begin_to_come_up(name)
    coming.kill()
    coming.wait()
    assert leftovers(name) != []
    assert lab("down").returncode == 0
    assert leftovers(name) == []


@needs_root
def test_a_lab_whose_command_was_killed_goes_when_the_next_comes(name):
    command = [RUN, "lab", "with", "--hosts", "2", "--", "sh", "-c", "echo $TIGHTWIRE_LAB; cat"]
    job = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, close_fds=True
    )
    abandoned = job.stdout.readline().strip()
    assert leftovers(abandoned) != []
    job.kill()
    job.wait()
    up(1)
    assert leftovers(abandoned) == []
    job.stdin.close()
    job.stdout.close()


@needs_root
def test_labs_do_not_touch_each_other(name, monkeypatch):
    up(2)
    other = f"{name}_other"
    monkeypatch.setenv("TIGHTWIRE_LAB", other)
    up(2)
    assert lab("exec", "--host", "host1", "--", "hostname").stdout == "host1\n"
    assert lab("down").returncode == 0
    assert leftovers(other) == []
    monkeypatch.setenv("TIGHTWIRE_LAB", name)
    assert lab("exec", "--host", "host1", "--", "hostname").stdout == "host1\n"


@needs_root
def test_down_twice_is_fine(name):
    up(1)
    assert lab("down").returncode == 0
    assert lab("down").returncode == 0


def as_nobody():
    """Prefix that runs a command without root."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


@pytest.mark.parametrize("family", FAMILIES)
def test_without_root(nodes, family):
    if subprocess.run([*as_nobody(), RUN, "lab", "check"], capture_output=True).returncode != 0:
        pytest.skip("no unprivileged user namespaces, or the checkout is closed to other users")
    script = f"'{RUN}' lab exec --mpi {family} --timeout 60 -- '{nodes / family}' && exit 9"
    command = [RUN, "lab", "with", "--hosts", "3", "--", "sh", "-c", script]
    done = subprocess.run([*as_nobody(), *command], capture_output=True, text=True, timeout=120)
    assert done.returncode == 9, done.stderr
    for host in range(3):
        assert f"rank {host} of 3 on host{host} with 1, sum 3" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["up", "--burst", "much"], "--burst 'much': say it in bytes, as 16k"),
        (["up", "--rate", "fast"], "--rate 'fast': say it as 1gbit"),
        (["up", "--hosts", "0"], "--hosts 0: a lab has 1 to 200 hosts"),
        (["up", "--name", "a/b"], "lab name 'a/b': use 1 to 32 letters"),
        (["exec", "--mpi", "mpich", "--", "true"], "bring it up with: ./run lab up"),
        (["counters"], "bring it up with: ./run lab up"),
    ],
)
@needs_root
def test_what_cannot_be_is_one_clear_line(name, arguments, message):
    done = lab(*arguments)
    assert done.returncode == 1
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@needs_root
def test_more_ranks_than_places_is_one_clear_line(name):
    up(2)
    done = lab("exec", "--mpi", "mpich", "-n", 5, "--ranks-per-host", 2, "--", "true")
    assert done.returncode == 1
    assert done.stderr == "lab: -n 5: 2 hosts of 2 ranks hold 1 to 4 ranks\n"
