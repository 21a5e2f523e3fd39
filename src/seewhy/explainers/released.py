"""The explainer that AHA's authors released, with the parameter names of our decoder.

Their file (`weights_final.pt`, or a checkpoint with an entry `model`) contains the decoder of the preset `official`
without the DINOv3 backbone:

| theirs                                                         | ours                                             |
|----------------------------------------------------------------|--------------------------------------------------|
| `target_class_embedding`                                       | `embedding`                                      |
| `decoder.reassemble_stages.i.{readout_project.0, norm}`        | `stages.i.{readout, to_stage.0}`                 |
| `decoder.reassemble_stages.i.{project.0, resize}`              | `stages.i.{to_stage.1, resize}`                  |
| `decoder.stage_convs.i.0`                                      | `stages.i.conv`                                  |
| `decoder.fusion_blocks.i.res_conv_unit{1, 2}.conv{1, 2}`       | `fusions.i.{skip, mix}.{first, second}`          |
| `decoder.fusion_blocks.i.project.0`, `decoder.project.0`       | `fusions.i.project`, `project`                   |
| `decoder.head.net.{0, 2, 4}`                                   | `head.{enlarge, widen.0, widen.2}`               |
| `pre_refine_norm`, `refine_block`, `final_conv`                | `head.{before.1, refine, last}`                  |
"""

import re
from pathlib import Path

from torch import Tensor

from seewhy.errors import WeightsError
from seewhy.models.weights import read_weights

BACKBONE = "encoder.backbone."  # not part of the released file; ignored in checkpoints
NAMES = (
    (r"target_class_embedding(\.weight)?$", "embedding.weight"),
    (r"decoder\.reassemble_stages\.(\d)\.readout_project\.0\.", r"stages.\1.readout."),
    (r"decoder\.reassemble_stages\.(\d)\.norm\.", r"stages.\1.to_stage.0."),
    (r"decoder\.reassemble_stages\.(\d)\.project\.0\.", r"stages.\1.to_stage.1."),
    (r"decoder\.reassemble_stages\.(\d)\.resize\.", r"stages.\1.resize."),
    (r"decoder\.stage_convs\.(\d)\.0\.", r"stages.\1.conv."),
    (r"decoder\.fusion_blocks\.(\d)\.res_conv_unit1\.conv1\.", r"fusions.\1.skip.first."),
    (r"decoder\.fusion_blocks\.(\d)\.res_conv_unit1\.conv2\.", r"fusions.\1.skip.second."),
    (r"decoder\.fusion_blocks\.(\d)\.res_conv_unit2\.conv1\.", r"fusions.\1.mix.first."),
    (r"decoder\.fusion_blocks\.(\d)\.res_conv_unit2\.conv2\.", r"fusions.\1.mix.second."),
    (r"decoder\.fusion_blocks\.(\d)\.project\.0\.", r"fusions.\1.project."),
    (r"decoder\.project\.0\.", "project."),
    (r"decoder\.head\.net\.0\.", "head.enlarge."),
    (r"decoder\.head\.net\.2\.", "head.widen.0."),
    (r"decoder\.head\.net\.4\.", "head.widen.2."),
    (r"pre_refine_norm\.", "head.before.1."),
    (r"refine_block\.", "head.refine."),
    (r"final_conv\.", "head.last."),
)


def read_released(path: str | Path) -> dict[str, Tensor]:
    """The tensors of a released file, by the parameter names of our decoder."""
    state = {name.removeprefix("module."): value for name, value in read_weights(path).items()}
    return {our_name(name, path): value for name, value in state.items() if not name.startswith(BACKBONE)}


def our_name(name: str, path: str | Path) -> str:
    """The name in our decoder of a parameter in the authors' file.

    >>> our_name("decoder.fusion_blocks.2.res_conv_unit1.conv2.weight", "")
    'fusions.2.skip.second.weight'
    """
    for pattern, ours in NAMES:
        if re.match(pattern, name):
            return re.sub(f"^{pattern}", ours, name)
    raise WeightsError(f"{path} is not an explainer of AHA's authors: its key {name} is unknown")
