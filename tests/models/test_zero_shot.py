"""CLIP and SigLIP with prompts as classes equal the two-tower networks themselves."""

import pytest
import torch
from torch.nn import functional as F

from conftest import TINY, shake
from seewhy.errors import InputError, UnsupportedModel
from seewhy.models import loading
from seewhy.models.adapters import adapt_module
from seewhy.models.huggingface import import_transformers, load_huggingface
from seewhy.models.zero_shot import PromptClassifier, ZeroShotViT, embed_prompts, tokenize_prompts
from vit_checks import check_pieces, check_places, check_split, check_untouched

SIZES = dict(hidden_size=16, num_hidden_layers=3, num_attention_heads=2, intermediate_size=24)
WORDS = ["<pad>", "<start>", "<unk>", "<end>", *["a", "photo", "of", "the", "cat", "dog", "elk", "on", "grass"]]
PROMPTS = ["a photo of a cat", "a dog", "the elk on the grass", "grass"]
LAYOUTS = {"CLIP": (1, (0,), "token"), "Siglip": (0, (), "map")}


def two_towers(family: str, **how):
    transformers = import_transformers()
    text = dict(vocab_size=len(WORDS), max_position_embeddings=9, bos_token_id=1, eos_token_id=3, pad_token_id=0)
    size = {"projection_dim": 12} if family == "CLIP" else {}
    config = getattr(transformers, f"{family}Config")(
        text_config=SIZES | text | ({} if family == "CLIP" else {"projection_size": 16}),
        vision_config=SIZES | {"image_size": 32, "patch_size": 8},
        **size,
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        network = shake(getattr(transformers, f"{family}Model")._from_config(config, **how), scale=0.6)
    network.logit_scale.data.fill_(3.0)  # as far apart as after training
    return network


def make_tokenizer():
    """Words are tokens; an end-of-text token follows, as CLIP and SigLIP expect."""
    import tokenizers

    transformers = import_transformers()
    words = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: index for index, word in enumerate(WORDS)}, unk_token="<unk>")
    )
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    words.post_processor = tokenizers.processors.TemplateProcessing(
        single="<start> $A <end>", special_tokens=[("<start>", 1), ("<end>", 3)]
    )
    special = dict(unk_token="<unk>", pad_token="<pad>", bos_token="<start>", eos_token="<end>")
    return transformers.PreTrainedTokenizerFast(tokenizer_object=words, **special)


def tokens_of(family: str) -> dict[str, torch.Tensor]:
    """As the documentation of each model asks for."""
    if family == "CLIP":
        return dict(make_tokenizer()(PROMPTS, padding=True, return_tensors="pt", return_token_type_ids=False))
    return {"input_ids": make_tokenizer()(PROMPTS, padding="max_length", max_length=9, return_tensors="pt").input_ids}


@pytest.fixture(params=LAYOUTS)
def family(request) -> str:
    return request.param


@pytest.fixture
def network(family):
    return two_towers(family)


@pytest.fixture
def vit(network) -> ZeroShotViT:
    features = embed_prompts(network, tokenize_prompts(network, make_tokenizer(), PROMPTS))
    return ZeroShotViT(PromptClassifier(network, features), TINY, name="tiny", class_names=PROMPTS)


def test_layout(vit, family):
    assert (vit.prefix, vit.head_tokens, vit.pool) == LAYOUTS[family]
    assert (vit.grid, len(vit.blocks)) == ((4, 4), 3)
    with pytest.raises(UnsupportedModel, match="Linear is not a PromptClassifier"):
        ZeroShotViT(torch.nn.Linear(2, 2), TINY, name="linear")


def test_pieces_equal_the_network(vit, network, family, images):
    texts = tokens_of(family)
    check_pieces(vit, images, lambda x: network(pixel_values=x, **texts).logits_per_image, 1e-5)


def test_pieces_equal_the_network_in_double(vit, network, family, images):
    network.double()
    texts = tokens_of(family)
    vit = ZeroShotViT(PromptClassifier(network, embed_prompts(network, texts["input_ids"])), TINY, name="double")
    check_pieces(vit, images.double(), lambda x: network(pixel_values=x, **texts).logits_per_image, 1e-10)


def test_attention_equals_the_networks_own(vit, family, images):
    tower = two_towers(family, attn_implementation="eager").vision_model
    tower.load_state_dict(vit.tower.state_dict())
    own = tower(vit.normalize(images), output_attentions=True).attentions
    torch.testing.assert_close(vit.trace(images).attention, list(own), rtol=1e-5, atol=1e-6)


def test_probabilities(vit, family, images):
    logits = vit.logits(images)
    own = logits.softmax(-1) if family == "CLIP" else logits.sigmoid()
    torch.testing.assert_close(vit.probabilities(images), own)
    torch.testing.assert_close(vit.to_log_probabilities(logits), own.log(), rtol=1e-4, atol=1e-5)
    assert (vit.probabilities(images).sum(-1) - 1).abs().max() < 1e-6 or family == "Siglip"


def test_split(vit, images):
    check_split(vit, images)


def test_patches_lie_where_the_image_has_them(vit, images):
    check_places(vit, images)


def test_network_is_left_as_it_was(vit, images, monkeypatch):
    check_untouched(vit, images, vit.blocks[1].norm2, monkeypatch)


def test_prompts_are_part_of_the_model(network):
    """Other prompts are another model, and the text tower is not kept."""
    generator = torch.Generator().manual_seed(0)
    width = embed_prompts(network, torch.tensor([[1, 4, 3]])).shape[1]
    features = torch.randn(2, width, generator=generator)
    first, scaled, second = (
        ZeroShotViT(PromptClassifier(network, values), TINY, name="x", class_names=["a", "b"])
        for values in (features, 3 * features, features.flip(0))
    )
    assert first.fingerprint != second.fingerprint
    torch.testing.assert_close(first.module.prompts, F.normalize(features, dim=-1))
    torch.testing.assert_close(first.module.prompts, scaled.module.prompts)
    assert not any(name.startswith("text") for name in first.module.state_dict())


def test_padding_and_chunks_do_not_change_a_prompt():
    network = two_towers("CLIP")
    together = embed_prompts(network, tokenize_prompts(network, make_tokenizer(), PROMPTS * 20))
    for prompt, features in zip(PROMPTS, together, strict=False):
        alone = embed_prompts(network, tokenize_prompts(network, make_tokenizer(), [prompt]))[0]
        torch.testing.assert_close(features, alone, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(together[:4], together[-4:], rtol=1e-4, atol=1e-5)


def test_siglip_prompts_are_padded_and_in_lower_case():
    network = two_towers("Siglip")
    ids = tokenize_prompts(network, make_tokenizer(), ["A Cat"])
    assert ids.tolist() == [[1, WORDS.index("a"), WORDS.index("cat"), 3, 0, 0, 0, 0, 0]]


def test_load_from_a_folder(tmp_path, family, network, images):
    transformers = import_transformers()
    size = {"shortest_edge": 32} if family == "CLIP" else {"height": 32, "width": 32}
    crop = {"crop_size": {"height": 32, "width": 32}} if family == "CLIP" else {}
    network.save_pretrained(tmp_path)
    getattr(transformers, f"{family}ImageProcessor")(size=size, **crop).save_pretrained(tmp_path)
    make_tokenizer().save_pretrained(tmp_path)
    with pytest.raises(InputError, match="compares images with texts"):
        load_huggingface(str(tmp_path))
    vit = load_huggingface(str(tmp_path), classes=PROMPTS)
    assert isinstance(vit, ZeroShotViT)
    assert vit.class_names == tuple(PROMPTS)
    assert (vit.preprocess.size, vit.preprocess.crop) == ((32, 32), 1.0)
    assert vit.preprocess.squash == (family == "Siglip")
    own = network(pixel_values=vit.normalize(images), **tokens_of(family)).logits_per_image
    torch.testing.assert_close(vit.logits(images), own, rtol=1e-4, atol=1e-5)


def test_wrap_takes_precomputed_features(network, images):
    module = PromptClassifier(network, embed_prompts(network, torch.tensor([[1, 4, 3], [1, 8, 3]])))
    for wrap in (adapt_module, lambda *given, **named: loading.wrap(given[0], image_size=32, **named)):
        wrapped = wrap(module, TINY, name="own", class_names=["one", "two"])
        assert isinstance(wrapped, ZeroShotViT)
        assert wrapped.logits(images).shape == (2, 2)


def test_wrapping_a_bare_two_tower_network_says_what_is_missing(network):
    with pytest.raises(InputError, match="has no fixed classes"):
        loading.wrap(network)
