import pytest
import torch

import seewhy
from seewhy.errors import ModelError, TargetError, UnknownName


def test_compare_scores_methods_against_a_random_map(tiny_vit, images):
    comparison = seewhy.compare(tiny_vit, images, ["grad_cam", "gradient"])
    assert [each.method for each in comparison.explanations] == ["grad_cam", "gradient"]
    header, rows = comparison.table()
    assert header[:2] == ["method", "ins_del"]
    assert {row[0] for row in rows} == {"grad_cam", "gradient", "random"}
    scores = [float(row[1]) for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert "scores highest" in comparison.verdict
    assert repr(comparison).endswith(comparison.verdict)


def test_one_image_cannot_rank_methods(tiny_vit, images):
    verdict = seewhy.compare(tiny_vit, images[:1], ["grad_cam", "gradient"]).verdict
    assert "of 3 references" in verdict
    assert "One image cannot rank methods" in verdict


def test_many_images_give_an_interval(tiny_vit):
    images = torch.rand(20, 3, 32, 32, generator=torch.Generator().manual_seed(2))
    verdict = seewhy.compare(tiny_vit, images, ["grad_cam", "grad_cam_pp"]).verdict
    assert "95% interval" in verdict
    assert "cannot rank" not in verdict


def test_a_method_that_does_not_fit_is_skipped(tiny_cnn, images):
    assert len(seewhy.compare(tiny_cnn, images, "grad_cam", scores=False).explanations) == 1
    comparison = seewhy.compare(tiny_cnn, images, ["grad_cam", "rollout"], scores=False)
    assert [each.method for each in comparison.explanations] == ["grad_cam"]
    assert "needs a ViT" in comparison.skipped["rollout"]
    assert "rollout on" not in comparison.skipped["rollout"]  # the table names the method
    with pytest.raises(ModelError, match="none of the methods"):
        seewhy.compare(tiny_cnn, images, ["rollout"])
    with pytest.raises(UnknownName):
        seewhy.compare(tiny_cnn, images, ["grad_cam", "grat_cam"])


def test_an_interval_without_zero_is_not_called_chance_without_a_reason(tiny_vit):
    """Three equal images: the interval excludes zero, a rank test of three pairs cannot be significant."""
    same = torch.rand(1, 3, 32, 32, generator=torch.Generator().manual_seed(2)).expand(3, -1, -1, -1)
    verdict = seewhy.compare(tiny_vit, same, ["grad_cam", "gradient"]).verdict
    assert "but not significant by Wilcoxon's test with Holm's correction); the difference to" in verdict


def test_methods_that_fail_are_skipped_and_those_without_a_score_are_not_ranked(tiny_cnn, images, monkeypatch):
    monkeypatch.setattr(seewhy.registry.METHODS, "_entries", dict(seewhy.registry.METHODS._entries))

    @seewhy.register_method("fails")
    def fails(model: seewhy.Classifier, images, targets):  # noqa: ARG001
        """Raises."""
        raise RuntimeError("out of luck")

    @seewhy.register_method("undefined")
    def undefined(model: seewhy.Classifier, images, targets):  # noqa: ARG001
        """No numbers."""
        return torch.full((len(images), targets.shape[1], 4, 4), torch.nan)

    with pytest.warns(seewhy.errors.SeewhyWarning, match="NaN"):
        comparison = seewhy.compare(tiny_cnn, images, ["gradient", "fails", "center", "undefined"])
    assert comparison.skipped["fails"].startswith("images 0 … ")
    assert "out of luck" in comparison.skipped["fails"]
    assert comparison.table()[1][-1][:2] == ["undefined", "–"]
    assert "undefined" not in comparison.verdict
    with pytest.warns(seewhy.errors.SeewhyWarning):
        alone = seewhy.compare(tiny_cnn, images[:1], ["undefined", "fails"])
    assert "scores highest" not in alone.verdict
    with pytest.raises(TargetError):
        seewhy.compare(tiny_cnn, images, ["gradient"], targets=99)
