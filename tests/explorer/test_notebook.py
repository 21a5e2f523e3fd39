"""The explorer in a notebook that nbconvert executes, opened from the saved file with the network off."""

import nbformat
from nbconvert import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor

CELLS = (
    """
import torch
import seewhy
from seewhy.zoo.scenes import Scenes

torch.set_num_threads(1)
model = seewhy.load_model("seewhy/scenes-vit")
scene = Scenes("test", 96)[7]
explanation = seewhy.explain(model, scene.image[None], "grad_cam_attention", targets=[scene.label, scene.pair])
explanation.view(references=["black"])
""",
    """
other = seewhy.explain(model, scene.image[None], "rollout", targets=[scene.label, scene.pair])
seewhy.view([explanation, other], references=["black"], height=900)
""",
)


def test_a_saved_notebook_keeps_the_explorer(open_page, tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    ExecutePreprocessor(timeout=1200, startup_timeout=600).preprocess(notebook)
    nbformat.write(notebook, tmp_path / "notebook.ipynb")
    saved = nbformat.read(tmp_path / "notebook.ipynb", as_version=4)
    page, _ = HTMLExporter(template_name="basic").from_notebook_node(saved)  # others ask the network for MathJax
    host = tmp_path / "notebook.html"
    host.write_text(f"<!doctype html><meta charset=utf-8><title>notebook</title>{page}")
    shown = open_page(host.as_uri(), selector="iframe")
    for number, methods in enumerate((3, 4)):
        frame = shown.frame_locator("iframe").nth(number)
        frame.get_by_role("tab", name="Compare").click()
        frame.locator("[data-name=scrub]").fill("5018")
        frame.locator("text=5,018 pixels removed").wait_for()
        assert frame.locator("canvas[data-name=perturbed]").count() == methods
