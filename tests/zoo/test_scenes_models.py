"""The bundled ViTs as models, and what the demo shows of them."""

import torch
from PIL import Image

import seewhy
from seewhy.cli.demo_scenes import explain_scenes
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


def test_demo_measures_maps_on_the_deciding_part(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("seewhy.cli.compare.SHOWCASE", ("var:caap", "center"))
    monkeypatch.setattr("seewhy.cli.demo_scenes.PICTURES", range(2))
    path = explain_scenes(tmp_path, "cpu")
    with Image.open(path) as picture:
        assert picture.size[0] > 500
    shares = {
        line.split()[0]: float(line.split()[-1].rstrip("%"))
        for line in capsys.readouterr().out.splitlines()
        if line.startswith(("var:caap", "center"))
    }
    assert shares["var:caap"] > 1.5 * shares["center"]
