"""Time, memory and resumption of whole audits.

    python benchmarks/audit_runs.py shortcut OUT      # 300 images of scenes-vit-shortcut, two processes, wall time
    python benchmarks/audit_runs.py kills OUT         # five times kill -9, then the findings beside an undisturbed run
    python benchmarks/audit_runs.py memory OUT        # peak memory at 1,000, 3,000 and 10,000 images

Rows go to `data/audit_runs.csv`, one per run; a run that is there is replaced. `memory` audits files with a small
network, since the number of images is what is tested; they show a thousand scenes in ten brightnesses, since drawing
takes longer than everything else.
"""

import argparse
import csv
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image
from torch import nn

import seewhy
from seewhy.audits import Findings
from seewhy.audits.findings import load_findings
from seewhy.zoo.scenes import Scenes

ROWS = Path(__file__).parent / "data" / "audit_runs.csv"
FIELDS = ["run", "images", "value", "unit", "note"]
SHORTCUT = "scenes:size=300,shortcut=mug"
KILLED = ["scenes:size=60,shortcut=mug", "--method", "libra_ixg_plus", "--classes", "mug", "-o", "donors=4"]
SIZES = (1000, 3000, 10000)
DRAWN = 1000  # scenes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("run", choices=["shortcut", "kills", "memory", "memory-child"])
    parser.add_argument("out", type=Path)
    parser.add_argument("--images", type=int, default=SIZES[0])
    options = parser.parse_args()
    if options.run == "memory-child":
        print(json.dumps(audit_many(options.images, options.out)))
        return
    rows = {"shortcut": time_shortcut, "kills": kill_runs, "memory": measure_memory}[options.run](options.out)
    write_rows(rows)


def time_shortcut(out: Path) -> list[dict[str, Any]]:
    """The wall time of the default audit, and what its first card is."""
    shutil.rmtree(out, ignore_errors=True)
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(_command(out, SHORTCUT, "--workers", "2"), check=True, stdout=subprocess.DEVNULL)
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    load = f"{os.getloadavg()[0]:.0f} processes wanted a core at its end"
    first = load_findings(out)[0]
    note = f"{first.class_name}, {first.verdict}, {first.area:.1%} of the image, {first.position}"
    return [
        {"run": "shortcut", "images": 300, "value": round(seconds), "unit": "seconds, two processes", "note": note},
        {
            "run": "shortcut CPU",
            "images": 300,
            "value": round(cpu),
            "unit": "CPU seconds of all processes",
            "note": load,
        },
        {
            "run": "shortcut passes",
            "images": 300,
            "value": round(load_findings(out).about["forwards_per_image"], 1),
            "unit": "passes per image",
            "note": "with the trial of three methods on 64 images",
        },
    ]


def kill_runs(out: Path) -> list[dict[str, Any]]:
    """Kill -9 five times while files appear, then compare with an undisturbed run."""
    calm, killed = out / "calm", out / "killed"
    shutil.rmtree(out, ignore_errors=True)
    subprocess.run(_command(calm, *KILLED), check=True, stdout=subprocess.DEVNULL)
    total, kills = _files(calm), []
    for number in range(1, 6):
        process = subprocess.Popen(_command(killed, *KILLED), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and _files(killed) < total * number / 6:
            time.sleep(0.05)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills.append(_files(killed))
    subprocess.run(_command(killed, *KILLED), check=True, stdout=subprocess.DEVNULL)
    same = _content(load_findings(calm)) == _content(load_findings(killed))
    note = f"killed with {', '.join(map(str, kills))} of {total} files written"
    return [
        {"run": "kills", "images": 60, "value": int(same), "unit": f"same findings after {len(kills)}", "note": note}
    ]


def _content(findings: Findings) -> Any:
    return findings.findings


def _files(folder: Path) -> int:
    return sum(len(files) for _, _, files in os.walk(folder))


def _command(out: Path, source: str, *more: str) -> list[str]:
    start = [
        sys.executable,
        "-m",
        "seewhy",
        "audit",
        source,
        "--model",
        "seewhy/scenes-vit-shortcut",
        "--out",
        str(out),
    ]
    return [*start, *more]


def measure_memory(out: Path) -> list[dict[str, Any]]:
    """One process per size; each reports its own peak."""
    rows = []
    draw_files(out / "images")
    for images in SIZES:
        command = [sys.executable, __file__, "memory-child", str(out), "--images", str(images)]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])
        note = f"{found['candidates']} candidates, {found['cpu_seconds']} CPU seconds"
        rows.append(
            {"run": "memory", "images": images, "value": round(found["megabytes"]), "unit": "MB at most", "note": note}
        )
        write_rows(rows)
    return rows


def draw_files(folder: Path) -> None:
    """The scenes as files, in several brightnesses; what is there is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    scenes = Scenes("test", DRAWN)
    for index in range(DRAWN):
        paths = [folder / f"{number:05d}.jpg" for number in range(index, max(SIZES), DRAWN)]
        if paths[-1].is_file():
            continue
        pixels = scenes[index].image.permute(1, 2, 0).numpy() * 255
        for bright, path in enumerate(paths):
            Image.fromarray((pixels * (1 - 0.03 * bright)).astype(np.uint8)).save(path, quality=90)


def audit_many(images: int, out: Path) -> dict[str, Any]:
    """Audit many scenes with a small network of random weights: what it finds does not matter, only memory."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    layers = [nn.Conv2d(3, 8, 7, stride=4, padding=3), nn.ReLU(), nn.Conv2d(8, 32, 3, stride=4, padding=1), nn.ReLU()]
    network = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 12))
    model = seewhy.wrap_model(network.eval(), image_size=224, name="small")
    files = sorted((out / "images").iterdir())[:images]
    settings = {"method": "grad_cam", "second": "gradient", "explorers": 0, "per_class": 1}
    findings = seewhy.audit(model, files, out=out / str(images), **settings)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "candidates": len(findings),
        "megabytes": usage.ru_maxrss / 1024,
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime),
    }


def write_rows(rows: list[dict[str, Any]]) -> None:
    """Replace the rows of the same run and size."""
    old = list(csv.DictReader(ROWS.open(newline=""))) if ROWS.is_file() else []
    new = {(each["run"], str(each["images"])): each for each in (*old, *rows)}
    with ROWS.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(new.values())


if __name__ == "__main__":
    main()
