"""Statistics, masks and clusters of the audit on cases whose answer is known."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
import torch

from red_mark import color_model, colored_squares
from seewhy.audits.choose import choose_methods
from seewhy.audits.config import AuditConfig
from seewhy.audits.find import Candidate, _groups, merge, touch
from seewhy.audits.judge import Effect, Effects, correct, effect, judge
from seewhy.audits.masks import cell_masks, refine_masks, shift_masks
from seewhy.audits.source import SampleCache

NOTHING = Effect(0.0, -0.1, 0.1, 0.5, 24)
LARGE = Effect(0.8, 0.7, 0.9, 1e-6, 24)


def effects(necessary=NOTHING, sufficient=NOTHING, decisions=NOTHING):
    return Effects(necessary, sufficient, decisions, None, 0.0, 0.8, 0.0, 0.8, None, None)


@pytest.mark.parametrize(
    ("measured", "verdict"),
    [
        (effects(), "not supported"),
        (effects(sufficient=LARGE, decisions=LARGE), "confirmed"),
        (effects(sufficient=LARGE), "suspected"),  # the probability rises, decisions stay
        (effects(necessary=LARGE), "suspected"),
    ],
)
def test_verdicts(measured, verdict):
    (ps,) = correct([measured])
    assert judge(measured, ps, AuditConfig())[0] == verdict


def test_chance_is_corrected_for_all_candidates():
    """A p-value of .01 is significant alone and not among twenty, of which most may only have been screened."""
    lucky = effects(sufficient=Effect(0.3, 0.1, 0.5, 0.01, 24), decisions=LARGE)
    config = AuditConfig()
    assert judge(lucky, correct([lucky])[0], config)[0] == "confirmed"
    assert judge(lucky, correct([lucky, *[effects()] * 19])[0], config)[0] == "suspected"
    assert judge(lucky, correct([lucky], screened=20)[0], config)[0] == "suspected"


def test_noise_is_rarely_significant():
    random = np.random.default_rng(0)
    ps = [effect(*random.random((2, 24))).p for _ in range(200)]
    assert np.mean(np.array(ps) < 0.05) == pytest.approx(0.05, abs=0.04)


def test_masks_are_the_special_pixels_of_the_cells():
    """A red disc at random positions in gray noise; the cells are those of a coarse grid that it touches."""
    random = np.random.default_rng(0)
    rows, cols = np.indices((64, 64))
    images, truth, cells = [], [], []
    for _ in range(8):
        center = random.integers(12, 52, 2)
        disc = np.hypot(rows - center[0], cols - center[1]) < 7
        pixels = random.uniform(0.3, 0.6, (64, 64, 3)).astype(np.float32)
        pixels[disc] = (1, 0, 0)
        images.append(pixels.transpose(2, 0, 1))
        truth.append(disc)
        cells.append(tuple(np.flatnonzero(disc.reshape(8, 8, 8, 8).mean((1, 3)).ravel() > 0.2).tolist()))
    others = torch.from_numpy(random.uniform(0.3, 0.6, (10, 3, 64, 64)).astype(np.float32))
    seeds = cell_masks(cells, (8, 8), (64, 64))
    found = refine_masks(torch.from_numpy(np.stack(images)), seeds, others)
    scores = [(a & b).sum() / (a | b).sum() for a, b in zip(found, truth, strict=True)]
    coarse = [(a & b).sum() / (a | b).sum() for a, b in zip(seeds, truth, strict=True)]
    assert np.median(scores) > 0.8 > np.median(coarse)


def test_controls_have_the_same_size_and_lie_elsewhere():
    masks = np.zeros((3, 32, 32), dtype=bool)
    masks[:, 2:8, 2:8] = True
    weights = np.zeros((3, 32, 32), dtype=np.float32)
    weights[:, 16:, 16:] = 1
    anywhere, salient = shift_masks(masks, weights)
    for control in (anywhere, salient):
        assert (control.sum((1, 2)) == 36).all()
        assert ((control & masks).sum((1, 2)) <= 3).all()
    assert (salient & (weights > 0)).sum() >= (anywhere & (weights > 0)).sum()
    assert (salient & (weights > 0)).sum((1, 2)).min() > 18


def test_what_a_frame_surrounds_is_not_in_its_mask():
    """Backgrounds differ from image to image, the red frame does not; the cells are some of those that it touches."""
    random = np.random.default_rng(0)
    frame = np.zeros((64, 64), dtype=bool)
    frame[:3], frame[-3:], frame[:, :3], frame[:, -3:] = True, True, True, True

    def draw(count):
        return random.uniform(0.2, 0.8, (count, 1, 1, 1)) * random.uniform(0.8, 1, (count, 3, 64, 64))

    images = draw(8)
    images[:, :, frame] = np.array([1, 0, 0])[:, None]
    edge = np.flatnonzero(frame.reshape(8, 8, 8, 8).any((1, 3)).ravel())
    seeds = cell_masks([tuple(random.choice(edge, 10, replace=False).tolist()) for _ in range(8)], (8, 8), (64, 64))
    found = refine_masks(torch.from_numpy(images).float(), seeds, torch.from_numpy(draw(8)).float())
    assert np.median([(each & frame).sum() / (each | frame).sum() for each in found]) > 0.4


def test_a_small_group_within_a_large_one_is_found_beside_it():
    random = np.random.default_rng(0)
    centers = np.repeat([0.0, 2.0, 40.0], [6, 12, 30])[:, None]
    features = centers + random.normal(scale=0.1, size=(48, 5))
    found = {tuple(np.flatnonzero(each)) for each in _groups(features, 4)}
    assert {tuple(range(6)), tuple(range(6, 18)), tuple(range(18))} <= found
    assert tuple(range(18, 48)) not in found  # more than half of all


def test_parts_of_a_cue_are_merged():
    qualities = {"tightness": 0.5, "exclusivity": 1.0, "agreement": 0.0, "count": 10, "grid": (4, 4), "target": 1}
    left = Candidate("1-0", cells={3: (0, 1), 5: (0,)}, share=0.2, fixed=1.0, **qualities)
    right = Candidate("1-1", cells={5: (0, 2), 7: (2,)}, share=0.2, fixed=0.0, **qualities)
    assert touch(left, right)  # in image 5, which both have
    assert not touch(left, replace(right, cells={5: (2,), 7: (1,)}))
    both = merge([left, right])
    assert both.cells == {3: (0, 1), 5: (0, 2), 7: (2,)}
    assert (both.name, both.share, both.fixed, both.tightness) == ("1-0", pytest.approx(0.3), 0.5, 0.5)


def test_the_trial_has_the_same_winner_in_other_processes():
    config, model, images = AuditConfig(trial=20), color_model(), colored_squares(24)
    here, there = (choose_methods(model, images, config, workers=workers) for workers in (1, 2))
    assert set(here.scores) > {"grad_cam"}
    assert here.method == max(here.scores, key=here.scores.get)
    assert (there.method, there.scores, there.forwards) == (here.method, pytest.approx(here.scores), here.forwards)


def test_a_sample_is_read_once(monkeypatch):
    dataset = colored_squares(4)
    cache = SampleCache(dataset, color_model().preprocess)
    monkeypatch.setattr("seewhy.audits.source.KEPT", 2)
    first = cache.read(0)
    assert cache.read(0) is first
    cache.read(1)
    cache.read(2)  # 0 is dropped: it was read longest ago
    assert cache.read(0) is not first
    assert torch.equal(cache.read(0).image, first.image)
    assert not pickle.loads(pickle.dumps(cache)).kept
