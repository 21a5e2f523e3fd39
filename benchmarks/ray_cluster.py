"""Kill workers, a machine and the driver of a Ray cluster of three nodes: maps and rows equal those of one process.

    python benchmarks/ray_cluster.py

Three nodes of one core each run on this machine; one of them does not see the images (a mount of its own hides them,
which needs root and `unshare`), as if it were another machine. While `explain --store`, `bench` and `audit` run, one
worker is killed by `kill -9`, one node is removed, and the driver is killed and started again. Ends with an error
unless all maps, rows and findings are there once, without failures, and equal those of one undisturbed process.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("RAY_AUTH_MODE", "disabled")  # a cluster of this machine alone
os.environ.setdefault("RAY_worker_niceness", "0")  # else workers get no time on a busy machine
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

DRIVER = """
import sys, time
from pathlib import Path
sys.path.insert(0, {tests!r})
from ray_job import run
run({kind!r}, Path({folder!r}), Path({out!r}), {address!r})
"""


def start_driver(kind: str, folder: Path, out: Path, address: str | None) -> "subprocess.Popen[bytes]":
    tests = str(Path(__file__).parents[1] / "tests")
    code = DRIVER.format(tests=tests, kind=kind, folder=str(folder), out=str(out), address=address)
    return subprocess.Popen([sys.executable, "-c", code])


def actor_processes() -> list[int]:
    """Processes of the workers of the cluster."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if entry.read_bytes().startswith(b"ray::Actor"):
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


def start_blind_node(address: str, folder: Path) -> "subprocess.Popen[bytes] | None":
    """A node that sees an empty folder in place of the images; None where that is not allowed."""
    hide = f"mount -t tmpfs none {folder}"
    if subprocess.run(["unshare", "--mount", "sh", "-c", hide], capture_output=True).returncode:
        return None
    ray = f"{sys.executable} -m ray.scripts.scripts start --address={address} --num-cpus=1 --block"
    command = ["unshare", "--mount", "sh", "-c", f"{hide} && exec {ray}"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for(condition: Callable[[], Any], seconds: float, what: str) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.2)
    raise SystemExit(f"waited {seconds:.0f} s in vain for {what}")


def progress(kind: str, out: Path) -> int:
    """Parts that were written so far."""
    patterns = {
        "explain": ["shards/*.safetensors"],
        "bench": ["parts/rows/*.parquet"],
        "audit": ["maps/shards/*.safetensors", "described/*.npz", "masks/*/proof.json"],
    }
    return sum(len(list(out.glob(pattern))) for pattern in patterns[kind])


def disturb(kind: str, folder: Path, out: Path, cluster: Any, patience: float) -> None:
    """Run on the cluster and kill a worker, a node and the driver on the way; then let it finish."""
    driver = start_driver(kind, folder, out, cluster.address)
    wait_for(lambda: progress(kind, out) >= 1, patience, "the first results")
    (victim, *_) = wait_for(actor_processes, patience, "a worker")
    os.kill(victim, signal.SIGKILL)
    print(f"{kind}: killed worker {victim}", flush=True)
    before = progress(kind, out)
    wait_for(lambda: progress(kind, out) > before or driver.poll() is not None, patience, "results after that")
    cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
    print(f"{kind}: killed a node", flush=True)
    before = progress(kind, out)
    wait_for(lambda: progress(kind, out) > before or driver.poll() is not None, patience, "results after that")
    if driver.poll() is None:
        driver.kill()
        print(f"{kind}: killed the driver", flush=True)
    driver.wait()
    again = start_driver(kind, folder, out, cluster.address)
    if again.wait(patience * 4):
        raise SystemExit(f"{kind}: the driver failed after the restart")


def main() -> None:
    from ray.cluster_utils import Cluster

    from ray_job import KINDS, compare, run, write_inputs

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--images", type=int, default=60)
    parser.add_argument("--patience", type=float, default=600.0, help="seconds")
    parser.add_argument("--only", choices=KINDS)
    options = parser.parse_args()
    place = Path(tempfile.mkdtemp(prefix="seewhy-ray-"))
    folder = place / "images"
    write_inputs(folder, options.images)
    kinds = [options.only] if options.only else KINDS
    for kind in kinds:
        run(kind, folder, place / f"{kind}-here", None)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    blind = start_blind_node(cluster.address, folder)
    print("one node sees no images" if blind else "no node is blind: that needs root and unshare", flush=True)
    try:
        for kind in kinds:
            while len(cluster.list_all_nodes()) + (blind is not None) < 3:
                cluster.add_node(num_cpus=1)
            print(f"{kind}: a cluster of {len(cluster.list_all_nodes()) + (blind is not None)} nodes", flush=True)
            disturb(kind, folder, place / f"{kind}-ray", cluster, options.patience)
            print(f"{kind}: {compare(kind, place / f'{kind}-here', place / f'{kind}-ray')}", flush=True)
    finally:
        if blind:
            blind.terminate()
            blind.wait()
        cluster.shutdown()


if __name__ == "__main__":
    main()
