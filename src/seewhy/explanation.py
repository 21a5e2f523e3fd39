"""The result of `explain`: maps, with methods to draw, check, save and load them."""

import warnings
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from jaxtyping import Bool, Float
from PIL import Image
from torch import Tensor

from seewhy.drawing import SAME, captioned, drawable, notebook_cells, shown_maps
from seewhy.errors import InputError, OptionError, SeewhyWarning
from seewhy.methods.mda import densify
from seewhy.methods.var import won_evidence
from seewhy.models.classifier import Classifier
from seewhy.ops.colors import blend, blend_classes, class_strength, display_range, strength
from seewhy.ops.resize import resize_maps
from seewhy.registry import METHODS
from seewhy.runtime.options import at_least, check_value
from seewhy.runtime.targets import class_name
from seewhy.saved import load_fields, save_explanation, summarize_image
from seewhy.types import Cost, Images, Maps, Targets

PositiveInt = Annotated[int, at_least(1)]
CHECK_FAILURES = {
    "finite": "a map holds NaN or infinity",
    "not flat": "a map is flat: the same value everywhere, so it is not informative",
    "differs between classes": "the maps of several classes are equal: they are not class-specific",
}


@dataclass(frozen=True)
class Explanation:
    """Maps of one method for a batch of images; `maps[i, k]` is the evidence in image i for class `targets[i, k]`.

    `maps` are raw, on the method's grid; `heatmaps` resizes them. Notebooks display an explanation as overlays.
    """

    maps: Maps
    targets: Targets
    images: Images | None = None  # as the model saw them
    method: str = "custom"
    options: dict[str, Any] = field(default_factory=dict)
    model: str = ""
    fingerprint: str = ""
    probabilities: Float[Tensor, "batch outputs"] | None = None
    class_names: tuple[str, ...] | None = None
    cost: Cost = field(default_factory=Cost)
    extras: dict[str, Tensor] = field(default_factory=dict)
    names: tuple[str, ...] = ()  # of the images, such as their paths
    originals: tuple[Image.Image | None, ...] = ()  # uncropped, None for tensors; not saved
    boxes: tuple[tuple[float, float, float, float], ...] = ()  # the crop of each original that the model saw
    skipped: tuple[str, ...] = ()  # why images were skipped (`on_error="skip"`)
    notes: tuple[str, ...] = ()  # what the method warned about
    class_agnostic: bool = False
    preprocessing: str = ""  # description of the model's preprocessing
    layer: str = ""  # whose features a CAM method used
    target_function: str = ""  # name of the function of the outputs that is explained; empty for classes
    classifier: Classifier | None = field(default=None, repr=False, compare=False)  # the model itself; not saved

    def __len__(self) -> int:
        return len(self.maps)

    @classmethod
    def from_maps(
        cls,
        maps: Any,
        *,
        targets: Any = None,
        images: Any = None,
        model: Classifier | str = "",
        method: str = "custom",
        **fields: Any,
    ) -> "Explanation":
        """Wrap maps made elsewhere, of shape (rows, cols), (batch, rows, cols) or (batch, classes, rows, cols).

        A map covers what the model sees, which is a crop of a photo, on any grid.
        With a `model`, `images` may be of any type that `explain` takes, and `targets` may be names (default: the
        predicted class). Without one, images are a tensor `batch 3 height width` in [0, 1], and targets must be given:
        class indices, one per image or `batch x classes`.
        """
        import seewhy  # which reads images as `explain` does

        return seewhy.data.wrap_maps(maps, targets, images, model, method=method, **fields)

    # drawing

    @property
    def checks(self) -> dict[str, Bool[Tensor, "batch classes"]]:
        """Sanity checks per map: finite, not flat, and (for several classes) different between classes."""
        flat = self.maps.flatten(2)
        lowest, highest = flat.aminmax(dim=-1)  # NaN where a value is
        checks = {"finite": lowest.isfinite() & highest.isfinite(), "not flat": lowest != highest}
        if flat.shape[1] > 1 and not self.class_agnostic:
            same = (flat.unsqueeze(1) == flat.unsqueeze(2)).all(-1)  # batch classes classes
            other = self.targets.unsqueeze(1) != self.targets.unsqueeze(2)
            checks["differs between classes"] = ~(same & other).any(-1)
        return checks

    @property
    def failed_checks(self) -> list[str]:
        """Names of the checks that at least one map fails."""
        return [name for name, passed in self.checks.items() if not bool(passed.all())]

    def warn(self) -> None:
        """Warn about uninformative maps: NaN, the same value everywhere, or the same map for every class."""
        problems = [CHECK_FAILURES[name] for name in self.failed_checks]
        if self.class_agnostic and self.targets.shape[1] > 1 and not self._is_control:
            problems.append(f"it gives {SAME}")
        if problems:
            where = f"{self.method} on {self.model}" if self.model else self.method
            warnings.warn(f"{where}: {' and '.join(problems)}", SeewhyWarning, stacklevel=3)

    @property
    def _is_control(self) -> bool:
        """Whether nobody expects the maps to tell classes apart: they are of `random` or the like."""
        return self.method in METHODS.names() and METHODS.get(self.method).is_control

    def heatmaps(self, size: tuple[int, int] | None = None) -> Float[Tensor, "batch classes height width"]:
        """Maps resized to the images' size or to `size` (height, width), bilinearly."""
        if size is None and self.images is None:
            raise InputError("this explanation holds no images: pass size=(height, width) to heatmaps")
        check_value("size", size, tuple[PositiveInt, PositiveInt] | None)
        return resize_maps(self.maps, size or tuple(self.images.shape[-2:]))  # type: ignore[union-attr]

    def label(self, image: int = 0, target: int = 0) -> str:
        """Short name of an explained class, with its probability if known."""
        return self.name_of(image, int(self.targets[image, target]))

    def name_of(self, image: int, index: int) -> str:
        """Short name of any class, with its probability if known."""
        known, name = self.probabilities is not None, class_name(index, self.class_names)
        value = float(self.probabilities[image, index]) if self.probabilities is not None else 0.0
        if self.target_function:
            name = self.target_function if index == 0 else f"{self.target_function} {index}"
            return f"{name} {value:.4g}" if known else name
        return f"{name} {value:.0%}" if known else name

    def overlay(self, image: int = 0, target: int = 0, *, full: bool = True, opacity: float = 0.85) -> Image.Image:
        """The map drawn over the image: over the uncropped original if available, unless `full` is false.

        All classes of an image are drawn on one scale. Pixel-level maps are smoothed; `captioned` says so.
        """
        self._check_drawn(image, target, opacity)
        maps, _ = shown_maps(self, image)
        limits = display_range(maps[0])
        one = maps[:, target : target + 1]
        pixels, values = drawable(self, image, one, lambda resized: strength(resized[0], limits)[None], full=full)
        return Image.fromarray(blend(pixels, values[0], opacity=opacity))

    def _check_drawn(self, image: int, target: int, opacity: float) -> None:
        """Raise unless there is such a map and the opacity is a fraction."""
        for name, index, count in (("image", image, len(self)), ("target", target, self.targets.shape[1])):
            if index not in range(count):
                raise OptionError(f"{name} must be an int from 0 to {count - 1}, got {index!r}")
        if not 0 <= opacity <= 1:
            raise OptionError(f"opacity must be a number from 0 to 1, got {opacity!r}")

    def captioned(self, image: int = 0, target: int = 0) -> Image.Image:
        """The overlay with class, probability, method, model and color scale below it."""
        return captioned(self, image, target)

    def overlay_classes(self, image: int = 0, *, full: bool = True, opacity: float = 0.85) -> Image.Image:
        """The winning class at each position as color and letter; for contrastive methods such as `var:grad_cam`."""
        from seewhy.figures import mark_classes

        self._check_drawn(image, 0, opacity)
        pixels, values = drawable(self, image, self._won(image), class_strength, full=full)
        return mark_classes(Image.fromarray(blend_classes(pixels, values, opacity=opacity)), np.nan_to_num(values))

    def plot(self, path: str | Path | None = None) -> Any:
        """A matplotlib figure, saved if a path is given: one row per image, with one map per class."""
        from seewhy.figures import explanation_figure

        return explanation_figure(self, path)

    def plot_classes(self, path: str | Path | None = None) -> Any:
        """A matplotlib figure, saved if a path is given: one row per image, with the winning class at each position."""
        from seewhy.figures import class_figure

        return class_figure(self, path)

    def view(self, model: Classifier | None = None, **options: Any) -> Any:
        """The explorer of this explanation: notebooks display it, `.open()` shows it, `.save(path)` writes one file.

        An explanation that was loaded from a file needs the `model`. Options are those of `seewhy.view`, which also
        takes several explanations.
        """
        import seewhy  # the explorer is built on top of explanations

        return seewhy.view(self, model=model, **options)

    def scored_by(self, model: Classifier) -> Classifier:
        """The model with the function of its outputs that these maps explain."""
        if model.outputs.target is not None:
            return model
        if self.classifier is None:
            raise InputError(
                f"these maps explain a function of the outputs ({self.target_function}), which files do not hold: pass "
                "model.with_target(function)"
            )
        return model.with_target(self.classifier.outputs.target)  # type: ignore[arg-type]

    def flip(self, model: Classifier | None = None, **options: Any) -> Any:
        """The smallest fraction of pixels whose removal, and whose insertion, changes the decision, and to which class.

        One row per image, class and reference; about 64 forward passes each. Options: `references`, and the
        `fractions` of pixels that are tried. An explanation that was loaded from a file needs the `model`.
        """
        import seewhy  # metrics are built on top of explanations

        model = model or self.classifier
        if model is None:
            raise InputError("this explanation does not hold the model that made it: pass model")
        return seewhy.flip(model, self, **options)

    def pixels(self, image: int) -> np.ndarray:
        """An image as the model saw it: uint8, `height width 3`; of other channels the first three, or one as gray."""
        if self.images is None:
            raise InputError("this explanation holds no images: pass images= to Explanation.from_maps")
        colors = self.images[image] if self.images.shape[1] >= 3 else self.images[image][:1].expand(3, -1, -1)
        return (colors[:3].permute(1, 2, 0).clamp(0, 1) * 255).round().byte().cpu().numpy()

    def _won(self, image: int) -> Float[Tensor, "one classes rows cols"]:
        """The evidence that each competing class wins; zero for classes that are absent (-1)."""
        if "distribution" not in self.extras:
            raise InputError(f"{self.method} does not contrast classes; use var:{self.method}")
        plain, shares, classes = (self.extras[name][image : image + 1] for name in ("plain", "distribution", "classes"))
        return won_evidence(plain, shares, classes >= 0)

    def _repr_html_(self) -> str:
        return notebook_cells(self)

    def __repr__(self) -> str:
        classes, (rows, cols) = self.targets.shape[1], self.maps.shape[-2:]
        where = f"{self.method} on {self.model}" if self.model else self.method
        of = "1 image" if len(self) == 1 else f"{len(self)} images"
        label = self.label() if len(self) else "nothing"
        more = f" and {len(self) * classes - 1} more" if len(self) * classes > 1 else ""
        return f"Explanation({where}: {of} x {classes} classes, maps {rows}x{cols}; {label}{more})"

    def with_density(self, gamma: float, *, kappa: float | None = None) -> "Explanation":
        """MDA's maps at another density, from sparse (gamma 0) to dense (1), without running the model.

        Patches below `kappa` stay sparse. Default: the `kappa` of this explanation.
        """
        if not 0 <= gamma <= 1:
            raise OptionError(f"gamma must be from 0 (sparse) to 1 (dense), got {gamma}")
        kappa = self.options.get("kappa", 0.005) if kappa is None else kappa
        if "sparse" not in self.extras:
            raise InputError(f"only maps of MDA have a density; this explanation is of {self.method!r}")
        ranked = densify(self.extras["sparse"], gamma=gamma, kappa=kappa)
        maps = torch.zeros_like(ranked).scatter(-1, self.extras["order"], ranked).view_as(self.maps)
        return replace(self, maps=maps, options=self.options | {"gamma": gamma, "kappa": kappa})

    # files

    def save(self, path: str | Path) -> Path:
        """Save as safetensors (maps, targets, images, extras), with a JSON file of the same name for the rest."""
        return save_explanation(self, path)

    @classmethod
    def load(cls, path: str | Path) -> "Explanation":
        """Load an explanation that `save` wrote."""
        return cls(**load_fields(path))

    def summaries(self) -> list[dict[str, Any]]:
        """One dict per image: its name, targets, prediction and top five classes."""
        return [summarize_image(self, image) for image in range(len(self))]
