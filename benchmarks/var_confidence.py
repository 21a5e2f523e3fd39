"""Does VAR gain more where the network sees the class? IoU by quartile of the probability of a class in its grid.

    python benchmarks/var_confidence.py results/var_table1_vit

Reads the rows of a benchmark, writes `data/var_confidence.csv`: a line per method and quartile.
"""

import csv
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from seewhy.bench import Results

OUT = Path(__file__).parent / "data" / "var_confidence.csv"
VARIANT = " + VAR"
Case = tuple[str, int]


def main(folder: str) -> None:
    scores: dict[str, dict[Case, float]] = defaultdict(dict)
    probability: dict[Case, float] = {}
    for row in Results(folder).to_dicts():
        if row["metric"] == "iou" and row["reference"] == "all" and row["score"] is not None:
            case = row["image"], row["target"]
            scores[row["method"]][case], probability[case] = row["score"], row["probability"]
    cases = sorted(probability, key=lambda case: probability[case])
    with OUT.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["method", "quartile", "n", "highest probability", "plain", "with VAR", "gain"])
        for base in (method for method in scores if f"{method}{VARIANT}" in scores):
            for quartile, part in enumerate(np.array_split(np.arange(len(cases)), 4), start=1):
                chosen = [cases[i] for i in part]
                plain, refined = (np.nanmean([scores[m][case] for case in chosen]) for m in (base, f"{base}{VARIANT}"))
                known = [len(chosen), f"{probability[chosen[-1]]:.4f}", f"{plain:.3f}", f"{refined:.3f}"]
                writer.writerow([base, quartile, *known, f"{refined / plain - 1:+.3f}"])


if __name__ == "__main__":
    main(sys.argv[1])
