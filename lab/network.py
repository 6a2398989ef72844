"""Makes and removes the hosts of a lab.

Each host is a network namespace whose only way out is `eth0` (the same name everywhere, as UCX
wants it), a veth pair to a bridge. The bridge has a namespace to itself, so nothing of the
machine's own network is touched and all labs may use the same addresses. A token bucket at both
ends of each pair sets the speed: the host's end shapes what it sends, the bridge's what it gets.
"""

import os
import re
import signal
import subprocess
import time
from contextlib import suppress

from lab import state
from lab.errors import LabError
from lab.state import Lab

SUBNET = "10.77.0"
MOST_HOSTS = 200


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise LabError(f"'{' '.join(command)}' failed: {done.stderr.strip()}")
    return done.stdout


def check_rate(rate: str) -> None:
    if rate not in ("0", "unlimited") and not re.fullmatch(r"[0-9]+(\.[0-9]+)?[kmg]bit", rate):
        raise LabError(f"--rate '{rate}': say it as 1gbit, 100mbit or 2.5gbit; 0 is unlimited")


def check_burst(burst: str) -> None:
    if not re.fullmatch(r"[1-9][0-9]*[km]?", burst):
        raise LabError(f"--burst '{burst}': say it in bytes, as 16k or 1m")


def shape(namespace: str, device: str, lab: Lab) -> None:
    if lab.rate not in ("0", "unlimited"):
        bucket = f"tbf rate {lab.rate} burst {lab.burst} latency 50ms"
        run(*f"tc -n {namespace} qdisc add dev {device} root {bucket}".split())


def add_host(lab: Lab, k: int) -> None:
    switch, host, port = lab.namespace("switch"), lab.namespace(f"host{k}"), f"port{k}"
    run("ip", "netns", "add", host)
    run(*f"ip -n {switch} link add {port} type veth peer name eth0 netns {host}".split())
    run(*f"ip -n {switch} link set {port} master bridge up".split())
    run(*f"ip -n {host} address add {SUBNET}.{k + 1}/24 dev eth0".split())
    run(*f"ip -n {host} link set lo up".split())
    run(*f"ip -n {host} link set eth0 up".split())
    shape(switch, port, lab)
    shape(host, "eth0", lab)


def up(lab: Lab) -> None:
    check_rate(lab.rate)
    check_burst(lab.burst)
    if not 1 <= lab.hosts <= MOST_HOSTS:
        raise LabError(f"--hosts {lab.hosts}: a lab has 1 to {MOST_HOSTS} hosts")
    with state.locked():
        remove_abandoned()
        if namespaces(lab.name):
            raise LabError(f"lab '{lab.name}' is up already; take it down with: ./run lab down")
        state.save(lab)
        try:
            run("ip", "netns", "add", lab.namespace("switch"))
            run(*f"ip -n {lab.namespace('switch')} link add bridge type bridge".split())
            run(*f"ip -n {lab.namespace('switch')} link set bridge up".split())
            for k in range(lab.hosts):
                add_host(lab, k)
            lines = [f"{SUBNET}.{k + 1} host{k}\n" for k in range(lab.hosts)]
            lab.hosts_file.write_text("127.0.0.1 localhost\n" + "".join(lines))
        except BaseException:
            remove(lab.name)
            raise


def down(name: str) -> None:
    """Removes all that has the lab's prefix, however it came to be left; nothing there is fine."""
    with state.locked():
        remove(name)


def remove(name: str) -> None:
    for namespace in namespaces(name):
        kill_inside(namespace)
        run("ip", "netns", "delete", namespace)
    state.forget(name)


def remove_abandoned() -> None:
    for lab in state.load_all():
        if lab.abandoned:
            remove(lab.name)


def namespaces(name: str) -> list[str]:
    start = state.prefix(name)
    lines = run("ip", "netns", "list").splitlines()
    return [line.split()[0] for line in lines if line.startswith(start)]


def kill_inside(namespace: str, patience_s: float = 10.0) -> None:
    """Ends what still runs on a host: a namespace outlives its name while a process is in it."""
    deadline = time.monotonic() + patience_s
    while pids := [int(pid) for pid in run("ip", "netns", "pids", namespace).split()]:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() > deadline:
            raise LabError(f"processes {pids} in {namespace} do not end")
        time.sleep(0.01)


def counters(lab: Lab) -> dict[str, dict[str, int]]:
    """Bytes that each host's eth0 has sent and received since the lab came up, link headers
    included, as the kernel counts them."""
    return {host: eth0_counters(lab.namespace(host)) for host in lab.host_names}


def eth0_counters(namespace: str) -> dict[str, int]:
    for line in run("ip", "netns", "exec", namespace, "cat", "/proc/net/dev").splitlines():
        device, _, numbers = line.strip().partition(":")
        if device == "eth0":
            fields = numbers.split()
            return {"rx_bytes": int(fields[0]), "tx_bytes": int(fields[8])}
    raise LabError(f"namespace {namespace} has no eth0; take the lab down and up again")
