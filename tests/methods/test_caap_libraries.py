"""CAAP is exact on the ViTs of Hugging Face too: distilled DeiT, DINOv2, CLIP and SigLIP, zero-shot or not."""

import pytest
import torch

from conftest import TINY
from models.test_huggingface import MODELS, NAMES, build
from models.test_zero_shot import PROMPTS, make_tokenizer, two_towers
from reference.caap import caap_variant
from seewhy.methods.caap import caap
from seewhy.models.huggingface import HuggingFaceViT
from seewhy.models.zero_shot import PromptClassifier, ZeroShotViT, embed_prompts, tokenize_prompts
from seewhy.ops.windows import window_matrix


def check(model):
    x = torch.rand(1, 3, 32, 32, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    x_0, y, windows = torch.ones_like(x), torch.tensor([[0, 3]]), window_matrix("box1", model.grid)
    for after in ("propagate", "reference", "source"):
        if model.head_tokens or after != "reference":
            with torch.no_grad():
                expected = caap_variant(model, x, x_0, y, windows, l_s=1, l_e=2, after=after)
            torch.testing.assert_close(caap(model, x, y, after=after), expected.T.view(1, 2, 4, 4), rtol=0, atol=1e-10)


@pytest.mark.parametrize("kind", ["deit-teacher", "dinov2", "dinov2-registers", "clip", "siglip"])
def test_hugging_face(kind):
    assert kind in MODELS
    check(HuggingFaceViT(build(kind).double(), TINY, name=kind, class_names=NAMES))


@pytest.mark.parametrize("family", ["CLIP", "Siglip"])
def test_zero_shot(family):
    network = two_towers(family).double()
    features = embed_prompts(network, tokenize_prompts(network, make_tokenizer(), PROMPTS))
    check(ZeroShotViT(PromptClassifier(network, features), TINY, name="tiny", class_names=PROMPTS))
