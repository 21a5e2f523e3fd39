"""CAM methods in numpy for one image and class, channel by channel, from feature maps and gradients."""

import numpy as np


def grad_cam_pp(features: np.ndarray, gradients: np.ndarray) -> np.ndarray:
    """As in the paper: powers of the gradient, 0 where it is 0."""
    cam = np.zeros(features.shape[1:])
    for feature, gradient in zip(features, gradients, strict=True):
        alpha = np.zeros_like(gradient)
        for i, j in np.ndindex(gradient.shape):
            g = gradient[i, j]
            if g != 0:
                alpha[i, j] = g**2 / (2 * g**2 + feature.sum() * g**3)
        cam += (alpha * np.maximum(gradient, 0)).sum() * feature
    return cam


def hires_cam(features: np.ndarray, gradients: np.ndarray) -> np.ndarray:
    cam = np.zeros(features.shape[1:])
    for feature, gradient in zip(features, gradients, strict=True):
        cam += feature * gradient
    return cam


def layer_cam(features: np.ndarray, gradients: np.ndarray) -> np.ndarray:
    cam = np.zeros(features.shape[1:])
    for feature, gradient in zip(features, gradients, strict=True):
        cam += feature * np.where(gradient > 0, gradient, 0)
    return cam


def score_cam(features: np.ndarray, score_of_mask) -> np.ndarray:
    """`score_of_mask` takes a feature map scaled to [0, 1] and returns the class logit of the masked image."""
    scores = np.array([score_of_mask((f - f.min()) / (f.max() - f.min())) for f in features])
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    return sum(weight * feature for weight, feature in zip(weights, features, strict=True))


def ablation_cam(features: np.ndarray, score_of_features) -> np.ndarray:
    """`score_of_features` returns the class logit for modified features."""
    whole, cam = score_of_features(features), np.zeros(features.shape[1:])
    for channel in range(len(features)):
        modified = features.copy()
        modified[channel] = 0
        cam += (whole - score_of_features(modified)) / abs(whole) * features[channel]
    return cam
