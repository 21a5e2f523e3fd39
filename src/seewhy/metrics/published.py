"""The protocols of published evaluations."""

from seewhy.metrics.protocols import Protocol
from seewhy.ops.curves import evenly_spaced

RELATIVE = {"relative": True}
RISE = {"references": ("rise",)}
MDA = {"references": ("mda",)}
MDA_MAPS = {"heatmaps": {"upsampling": "nearest"}, "ranked_maps": {"sign": "absolute", "scale": "unit"}}

PROTOCOLS = (
    Protocol(
        "aha",
        "AHA's evaluation, our default: 21 points; black, ImageNet's mean color, blur (37, sigma 37); raw space.",
    ),
    Protocol(
        "rise",
        "RISE's data set scores: 28 steps; deletion to the model's mean color, insertion from RISE's blur "
        "(11, sigma 5).",
        options={"curves": {**RISE, "fractions": evenly_spaced(29)}, "masked": RISE},
    ),
    Protocol(
        "mda",
        "MDA's code: 224 steps on the absolute map, constant within a patch and scaled to [0, 1]; adaptive blur, "
        "relative curves; MDA's segmentation quirks. Its photos: `confidence = 0.6`, `per_class = 5` in `[data]`. "
        "Its Positive and Negative are those of `chefer`, its monotonicity that of `mda_monotonicity`.",
        options={
            "curves": {**MDA, "fractions": evenly_spaced(225)},
            "masked": MDA,
            **MDA_MAPS,
            "deletion": RELATIVE,
            "insertion": RELATIVE,
            "ins_del": RELATIVE,
            "better_than_random": RELATIVE,
            "better_than_center": RELATIVE,
            "segmentation_ap": {"binarize": True},
            "segmentation_accuracy": {"foreground_only": True},
            "segmentation_f1": {"rowwise": True},
        },
        runs=("curves",),
    ),
    Protocol(
        "mda_monotonicity",
        "MDA's monotonicity script: both directions share an adaptive blur that starts at one pixel.",
        options={
            "curves": {"references": ("mda_monotonicity",), "fractions": evenly_spaced(225)},
            "masked": {"references": ("mda_monotonicity",)},
            **MDA_MAPS,
        },
        runs=("curves",),
    ),
    Protocol(
        "chefer",
        "Chefer's perturbation and segmentation tests: 10 % to 90 %, true black, top-1 against the data set's label.",
        options={
            "curves": {
                "references": ("black",),
                "fractions": tuple(tenth / 10 for tenth in range(1, 10)),
                "truncate": True,
            },
            "masked": {"references": ("black",)},
            "expected_class": {"source": "label"},
            "segmentation_f1": {"rowwise": True},
        },
        runs=("curves",),
    ),
    Protocol(
        "pair",
        "AIC and SIC as PAIR's code computes them.",
        runs=("information",),
    ),
    Protocol(
        "caap",
        "CAAP's tables. Not stated in the paper, assumed: steps, constant and blur as in RISE, average precision.",
        options={"curves": {**RISE, "fractions": evenly_spaced(29)}, "masked": RISE},
        runs=("curves",),
    ),
    Protocol(
        "var",
        "VAR's localization, AIC, randomization. Assumed: sigma 2, selection above zero before the blur, PAIR's AIC.",
        options={"region_attribution": {"smoothing": 11}, "overlaps": {"smoothing": 11}},
        runs=("information", "randomization"),
    ),
)
