"""False alarms of the audit: the clean `scenes-vit`, five seeds with other images each.

    python benchmarks/audit_clean.py OUT [--seeds 0,1,2,3,4]

OUT keeps the audits, so that a run resumes; `data/audit_clean.csv` has a row per seed. `without_masks` counts what
would be confirmed if the objects' masks were not known.
"""

import argparse
import csv
import json
import time
from pathlib import Path
from typing import Any

import torch

import seewhy
from seewhy.audits import AuditConfig, Findings
from seewhy.audits.judge import CONFIRMED, judge
from seewhy.runtime.files import write_atomic

SMALL = {"donors": 8, "recipients": 16}  # fewer than by default, for the time
ROWS = Path(__file__).parent / "data" / "audit_clean.csv"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", default="0,1,2,3,4")
    parser.add_argument("--images", type=int, default=240)
    parser.add_argument("--method", default=None)
    parser.add_argument("--per-class", type=int, default=AuditConfig().per_class)
    options = parser.parse_args()
    torch.set_num_threads(1)
    for seed in map(int, options.seeds.split(",")):
        name = f"{seed}-{options.images}-{options.per_class}-{options.method}"
        path = options.out / f"{name}.json"
        if not path.is_file():
            settings = {"seed": seed, "explorers": 0, "method": options.method, "per_class": options.per_class} | SMALL
            row = run_seed(options.images, settings, options.out / name)
            write_atomic(path, json.dumps(row).encode())
        write_rows(options.out)


def run_seed(images: int, settings: dict[str, Any], out: Path) -> dict[str, Any]:
    """Audit other images with another seed, and count what is confirmed."""
    model, start = seewhy.load_model("seewhy/scenes-vit"), time.process_time()
    findings = seewhy.audit(model, "scenes:size=4000", out=out, limit=images, **settings)
    return {
        "seed": settings["seed"],
        "images": images,
        "per_class": settings["per_class"],
        "method": findings.about["choice"]["method"],
        "candidates": len(findings),
        "confirmed": len(findings.confirmed),
        "suspected": len(findings.suspected),
        "without_masks": sum(confirmed_without_masks(findings)),
        "classes": "; ".join(each.class_name for each in findings.confirmed),
        "forwards_per_image": round(findings.about["forwards_per_image"], 1),
        "cpu_seconds": round(time.process_time() - start),
    }


def confirmed_without_masks(findings: Findings) -> list[bool]:
    """Whether each finding would be confirmed if it were not known what the object is."""
    config = AuditConfig(**findings.about["settings"])
    both = [(each.effects, (each.p_necessary, each.p_sufficient)) for each in findings]
    return [judge(effects, ps, float("nan"), config)[0] == CONFIRMED for effects, ps in both]


def write_rows(out: Path) -> None:
    rows = [json.loads(path.read_text()) for path in sorted(out.glob("*.json"))]
    with ROWS.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
