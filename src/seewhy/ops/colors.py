"""Maps as colors, for looking at. Scaling happens here and nowhere else: the maps themselves stay raw."""

import numpy as np
from jaxtyping import Float, UInt8
from numpy import ndarray
from torch import Tensor
from torch.nn.functional import avg_pool2d

SPIKES = 0.995  # pixel-level maps have a few extreme values; what lies beyond this quantile is drawn as the maximum
FOR, AGAINST = (228, 60, 42), (44, 112, 200)  # red and blue
SIGNED = 0.05  # negative evidence smaller than this share of the positive is not worth a second color
CLASSES = (  # told apart in every kind of color vision: at least 16 steps (CIEDE2000) between any two of the first five
    (228, 116, 0),  # orange
    (0, 114, 178),  # blue
    (240, 228, 66),  # yellow
    (102, 204, 238),  # sky
    (51, 34, 136),  # indigo
    (17, 119, 51),  # green
    (170, 51, 119),  # purple
)
SPECK = 28  # a share of the picture's side: colors of classes are drawn no finer
BRIGHTNESS, COLOR, UNSEEN = 0.9, 0.3, 0.45  # of the photo under a map: how bright, how colorful, and beside the map


def strength(heatmap: Float[Tensor, "height width"]) -> Float[ndarray, "height width"]:
    """Values between -1 and 1 for drawing: zero stays zero where the map is signed, else the minimum is zero."""
    values = heatmap.detach().double().cpu().numpy()
    values = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
    low, high = np.quantile(values, [1 - SPIKES, SPIKES])
    if is_signed(low, high):
        return np.clip(values / max(high, -low), -1, 1)
    if high <= low:
        high, low = values.max(), values.min()
    return np.clip((values - low) / (high - low), 0, 1) if high > low else np.zeros_like(values)


def is_signed(low: float, high: float) -> bool:
    """Whether a map speaks both for and against its class."""
    return bool(low < 0 and -low > SIGNED * max(high, 0.0))


def paint(values: Float[ndarray, "height width"]) -> UInt8[ndarray, "height width 3"]:
    """Colors of drawn values: dark to bright for evidence; red for and blue against where the map is signed."""
    from matplotlib import colormaps

    if values.min() < 0:
        return np.where(values[..., None] > 0, FOR, AGAINST).astype(np.uint8)
    return (colormaps["inferno"](values)[..., :3] * 255).round().astype(np.uint8)


def blend(
    photo: UInt8[ndarray, "height width 3"], values: Float[ndarray, "height width"], *, opacity: float
) -> UInt8[ndarray, "height width 3"]:
    """Strong evidence covers the photo with its color; where there is none, the photo shows, faded.

    Places whose value is NaN were not seen by the model: they are dark.
    """
    seen = np.isfinite(values)[..., None]
    values = np.nan_to_num(values)
    share = (opacity * np.abs(values) ** (0.6 if values.min() < 0 else 0.9))[..., None]
    mixed = (1 - share) * faded(photo) + share * paint(values)
    return np.where(seen, mixed, UNSEEN * photo).round().astype(np.uint8)


def class_strength(won: Float[Tensor, "classes height width"]) -> Float[ndarray, "classes height width"]:
    """What each class won, on one scale for all of them, between 0 and 1; specks of pixel-level maps flow together."""
    side = min(won.shape[-2:]) // SPECK // 2
    won = avg_pool2d(won, 2 * side + 1, stride=1, padding=side, count_include_pad=False)
    values = np.nan_to_num(won.detach().double().cpu().numpy(), nan=0.0, posinf=0.0, neginf=0.0)
    high = np.quantile(values.max(axis=0), SPIKES) or values.max()
    return np.clip(values / high, 0, 1) if high > 0 else np.zeros_like(values)


def blend_classes(
    photo: UInt8[ndarray, "height width 3"], values: Float[ndarray, "classes height width"], *, opacity: float
) -> UInt8[ndarray, "height width 3"]:
    """Every place in the color of the class that won it; where none did, the photo shows, grey. NaN as in `blend`."""
    seen = np.isfinite(values[0])[..., None]
    values = np.nan_to_num(values)
    share = (opacity * values.max(axis=0) ** 0.75)[..., None]
    colors = np.array([class_color(k) for k in range(len(values))])[values.argmax(axis=0)]
    grey = BRIGHTNESS * photo.mean(axis=-1, keepdims=True)
    return np.where(seen, (1 - share) * grey + share * colors, UNSEEN * photo).round().astype(np.uint8)


def class_color(number: int) -> tuple[int, int, int]:
    """The color of the first, second, … class; after the last the first comes again."""
    return CLASSES[number % len(CLASSES)]


def faded(photo: UInt8[ndarray, "height width 3"]) -> Float[ndarray, "height width 3"]:
    """A photo with little color of its own, so that the colors of a map are not mistaken for the photo's."""
    grey = photo.mean(axis=-1, keepdims=True)
    return BRIGHTNESS * (grey + COLOR * (photo - grey))
