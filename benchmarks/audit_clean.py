"""False alarms of the audit: the clean `scenes-vit`, five seeds with other images each.

    python benchmarks/audit_clean.py OUT [--seeds 0,1,2,3,4]

OUT keeps the audits, so that a run resumes; `data/audit_clean.csv` has a row per seed.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import torch
from audit_data import keep, write_rows

import seewhy
from seewhy.audits import AuditConfig
from seewhy.data.items import take
from seewhy.data.scenes import ScenesData
from seewhy.runtime.files import write_atomic

SMALL = {"donors": 8, "recipients": 16}  # fewer than by default, for the time


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
        write_rows("audit_clean", options.out)


def run_seed(images: int, settings: dict[str, Any], out: Path) -> dict[str, Any]:
    """Audit other images with another seed, and count what is confirmed."""
    model, start = seewhy.load_model("seewhy/scenes-vit"), time.process_time()
    scenes = take(ScenesData(size=4000), images, seed=settings["seed"])
    findings = seewhy.audit(model, keep(scenes), out=out, **settings)
    return {
        "seed": settings["seed"],
        "images": images,
        "per_class": settings["per_class"],
        "method": findings.about["choice"]["method"],
        "screened": findings.about["screened"],
        "tested": len(findings),
        "confirmed": len(findings.confirmed),
        "suspected": len(findings.suspected),
        "classes": "; ".join(each.class_name for each in findings.confirmed),
        "forwards_per_image": round(findings.about["forwards_per_image"], 1),
        "cpu_seconds": round(time.process_time() - start),
    }


if __name__ == "__main__":
    main()
