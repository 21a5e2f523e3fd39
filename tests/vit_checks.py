"""What every ViT adapter must fulfil, whatever library the network comes from."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from seewhy.models.vit import ViT, check_layout


def check_pieces(vit: ViT, images: Tensor, own: Callable[[Tensor], Tensor], tolerance: float) -> None:
    """The traced forward, the plain forward and the network's `own` output are one; attention rows sum to one."""
    expected = own(vit.normalize(images))
    assert expected.std(dim=1).min() > 0.05, "logits must differ between classes, else this test cannot fail"
    assert (expected[0] - expected[1]).abs().max() > 1e-3, "and between images"
    trace = vit.trace(images)
    torch.testing.assert_close(vit.logits(images), expected, rtol=tolerance, atol=tolerance)
    torch.testing.assert_close(trace.logits, expected, rtol=tolerance, atol=tolerance)
    tokens = vit.prefix + vit.patches
    for weights in trace.attention:
        assert weights.shape[2:] == (tokens, tokens)
        torch.testing.assert_close(weights.sum(-1), torch.ones_like(weights[..., 0]), rtol=tolerance, atol=tolerance)
    assert check_layout(vit) == ""


def check_split(vit: ViT, images: Tensor) -> None:
    features, logits, head, _ = vit.split(images)
    assert features.shape[2:] == vit.grid
    torch.testing.assert_close(logits, vit.logits(images), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(head(features), logits)
    twice = head(features.detach().repeat_interleave(2, dim=0))
    torch.testing.assert_close(twice, logits.repeat_interleave(2, dim=0), rtol=1e-4, atol=1e-5)


def check_places(vit: ViT, images: Tensor) -> None:
    """Patch (row, col) of the grid is where the image has it: changing its pixels changes its token of h^0 only."""
    row, col = vit.grid[0] - 1, 1
    height, width = images.shape[2] // vit.grid[0], images.shape[3] // vit.grid[1]
    changed = images.clone()
    changed[:, :, row * height : (row + 1) * height, col * width : (col + 1) * width] += 0.1
    moved = (vit.embed(changed) - vit.embed(images)).abs().sum(-1)
    touched = vit.to_grid(moved[:, vit.prefix :]) > 1e-6
    expected = torch.zeros_like(touched)
    expected[:, row, col] = True
    assert torch.equal(touched, expected)
    assert moved[:, : vit.prefix].max() == 0 if vit.prefix else True


def check_untouched(vit: ViT, images: Tensor, breaking: nn.Module, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing on the network has changed after use, also when `breaking` raises half-way."""
    vit.module.train()
    next(iter(vit.module.children())).eval()  # mixed modes must come back as they were
    next(vit.module.parameters()).requires_grad_(False)
    before = _snapshot(vit.module)
    with vit.frozen_eval():
        expected = vit.logits(images)
        use = [vit.logits, lambda x: vit.trace(x).logits, lambda x: vit.split(x).logits]
        results = [function(images) for function in use]
    for result in results:
        torch.testing.assert_close(result, expected, rtol=1e-4, atol=1e-5)
    _same(_snapshot(vit.module), before)

    def fail(*_: Any, **__: Any) -> None:
        raise ArithmeticError("half-way")

    with monkeypatch.context() as patch:
        patch.setattr(breaking, "forward", fail)
        for function in use:
            with pytest.raises(ArithmeticError), vit.frozen_eval():
                function(images)
    _same(_snapshot(vit.module), before)
    with vit.frozen_eval():
        assert torch.equal(vit.logits(images), expected)


def _snapshot(module: nn.Module) -> dict[str, Any]:
    return {
        "state": {name: value.clone() for name, value in module.state_dict().items()},
        "modes": [part.training for part in module.modules()],
        "wants": [parameter.requires_grad for parameter in module.parameters()],
        "hooks": [
            (len(part._forward_hooks), len(part._forward_pre_hooks), len(part._backward_hooks))
            for part in module.modules()
        ],
        "forwards": ["forward" in vars(part) for part in module.modules()],
        "attention": [getattr(getattr(part, "config", None), "_attn_implementation", "") for part in module.modules()],
    }


def _same(after: dict[str, Any], before: dict[str, Any]) -> None:
    torch.testing.assert_close(after.pop("state"), before["state"], rtol=0, atol=0)
    assert after == {key: value for key, value in before.items() if key != "state"}
