"""The bundled ViTs as models."""

import torch

import seewhy
from seewhy.models.vit import ViT
from seewhy.zoo.scenes import Scenes


def test_scenes_vit_is_a_vit_that_knows_its_classes():
    model = seewhy.load_model("seewhy/scenes-vit")
    assert isinstance(model, ViT)
    assert (model.grid, model.prefix, model.pool) == ((14, 14), 1, "token")
    scenes = [Scenes("test", 24)[index] for index in range(24)]
    predicted = model.probabilities(torch.stack([scene.image for scene in scenes])).argmax(1)
    assert (predicted == torch.tensor([scene.label for scene in scenes])).float().mean() > 0.9
    assert seewhy.explain(model, scenes[0].image, "grad_cam", targets="mug").targets.tolist() == [[0]]
