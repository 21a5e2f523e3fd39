import torch

from seewhy.methods.eigen_cam import eigen_cam


def test_projects_on_the_first_principal_direction(tiny_cnn, images, targets):
    features = tiny_cnn.split(images).features.detach()
    maps = eigen_cam(tiny_cnn, images, targets)
    for index in range(len(images)):
        matrix = features[index].flatten(1).T.double()  # positions channels
        values, vectors = torch.linalg.eigh(matrix.T @ matrix)  # not by SVD
        assert values[-1] == values.max()
        expected = matrix @ vectors[:, -1]
        expected = expected * expected.sum().sign()
        torch.testing.assert_close(maps[index, 0].flatten(), expected.float(), rtol=1e-4, atol=1e-5)
        assert torch.equal(maps[index, 0], maps[index, 1])
