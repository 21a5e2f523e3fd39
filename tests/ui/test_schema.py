"""Forms of methods: every option is offered with what its annotation permits, and nothing that names a file."""

import json

import pytest

from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.registry import METHODS, resolve_method
from seewhy.ui.schema import check_options, method_form, usual_meanings


@pytest.mark.parametrize("name", METHODS.names())
def test_every_method_has_a_form(name):
    form = method_form(name, ViT)
    assert json.loads(json.dumps(form))["name"] == name
    assert form["fits"]
    for option in form["options"]:
        assert option["kinds"]
        assert option["words"]
        assert option["doc"], option["name"]


def test_the_list_says_what_a_map_costs():
    assert method_form("gradient", ViT)["passes"] == 2  # forward and backward
    assert method_form("random", ViT)["passes"] == 0
    assert method_form("deep_lift", Classifier)["passes"] == 3  # measured on a CNN
    assert method_form("refine:caap", ViT)["passes"] is None


def test_no_meaning_of_an_option_is_unused():
    used = {name for method in METHODS.all() for name in method.options}
    assert set(usual_meanings()) <= used


def test_ranges_and_choices_come_from_the_signature():
    options = {option["name"]: option for option in method_form("refine:caap", ViT)["options"]}
    assert options["steps"]["kinds"] == [{"type": "integer", "minimum": 0}]
    assert options["steps"]["default"] == 6
    assert options["learning_rate"]["kinds"] == [{"type": "number", "above": 0}]
    assert options["after"]["kinds"] == [{"type": "choice", "choices": ["propagate", "reference", "source"]}]
    assert options["reference"]["kinds"][1] == {"type": "color"}
    assert options["blocks"]["doc"].startswith("`blocks` are (l_s, l_e)")


def test_no_form_offers_a_file():
    assert not {"explainer", "encoder_weights"} & {option["name"] for option in method_form("aha", ViT)["options"]}


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("caap", {"reference": "secret.png"}),
        ("caap", {"reference": "/etc/passwd"}),
        ("aha", {"explainer": "folder"}),
        ("aha", {"encoder_weights": "x.safetensors"}),
        ("grad_cam", {"layer": "../../x"}),
        ("var:caap", {"classes": "a/b"}),
        ("caap", {"blocks": [1] * 100}),
    ],
)
def test_options_that_name_files_are_refused(method, options):
    with pytest.raises(ValueError, match="must be"):
        check_options(resolve_method(method), options)


def test_options_that_a_form_offers_are_accepted():
    check_options(resolve_method("caap"), {"reference": [0, 0.5, 1], "blocks": "1-8", "select": "none"})
    check_options(resolve_method("grad_cam"), {"layer": "blocks.3"})
