"""Evidence that a class wins: where it leads, and by how much."""

import torch

from seewhy.methods.var import class_distribution, won_evidence


def test_the_lead_counts_and_the_height():
    maps = torch.tensor([2.0, 1.0, 1.0, 1.0]).view(1, 1, 1, 4).expand(1, 3, 1, 4).clone()
    maps[0, 1:] = torch.tensor([[0.0, 0.0, 1.0, 0.999], [0.0, 0.0, 0.0, 0.0]]).unsqueeze(1)
    won = won_evidence(maps, class_distribution(maps, torch.ones(1, 3, dtype=torch.bool)), torch.ones(1, 3).bool())
    first = won[0, 0, 0]
    assert first[0] > 1.9 * first[1] > 0  # twice as high
    assert first[2] == 0  # tied with another class, although both are above an even share
    assert 0 < first[3] < 0.1 * first[1]  # hardly ahead
    assert (won[0, 1:, 0, :3] == 0).all()


def test_absent_classes_win_nothing_and_negative_evidence_neither():
    maps = torch.tensor([-1.0, -2.0, 5.0]).view(1, 3, 1, 1)
    present = torch.tensor([[True, True, False]])
    assert (won_evidence(maps, class_distribution(maps, present), present) == 0).all()
