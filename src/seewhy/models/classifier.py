"""The interface of every model, whichever library it comes from."""

import hashlib
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Literal, TypeVar

import torch
from jaxtyping import Float
from torch import Tensor, nn

from seewhy.errors import ModelError, OptionError, ShapeError
from seewhy.models.arguments import transform_digest
from seewhy.models.first_pass import FirstPass
from seewhy.models.layers import FeatureLayer, Probe, block_names, find_last, find_named, layer_name
from seewhy.models.layouts import quadrant_images
from seewhy.models.outputs import Outputs
from seewhy.models.own_files import OwnFiles, executed_files
from seewhy.models.preprocess import Preprocess
from seewhy.models.splitting import Split
from seewhy.models.torchvision_operators import declare_operators
from seewhy.runtime.chunks import in_chunks
from seewhy.types import Cost, FeatureMaps, Images, Layer, Logits, Scores, Targets

ScoreKind = Literal["logit", "prob", "logprob", "margin"]
GradientUnit = Literal["pixel", "normalized"]
GRAPH = 2  # memory of a forward pass with a graph, relative to one without
CHUNK_PIXELS, LARGEST_CHUNK = 8 * 224**2, 1024  # total pixels of the initial chunk, images of any chunk

Part = TypeVar("Part")


class Classifier(FirstPass, ABC):
    """An image classifier. Images are in [0, 1] everywhere; only `normalize` knows mean and std."""

    def __init__(
        self,
        module: nn.Module,
        preprocess: Preprocess,
        *,
        name: str,
        class_names: Sequence[str] | None = None,
    ) -> None:
        self.module = module
        self.preprocess = preprocess
        self.mean, self.std = preprocess.mean, preprocess.std
        self.name = name
        self.title = name  # the name, with a note if the weights are random
        self.weights = ""  # the file that `load_model` was given, for code that loads the model again
        self.class_names = tuple(class_names) if class_names is not None else None
        self.chunk = initial_chunk(preprocess.size)  # images per pass; doubled up to the limit, halved if out of memory
        self.chunk_limit: int | None = None  # default: `chunk` on a CPU, 1,024 on a GPU; lowered on out-of-memory
        self.cache: dict[str, Any] = {}  # shared by methods across calls; same lifetime as the model
        self.outputs = Outputs()  # what the network's outputs mean
        self.layer: Layer = None  # chosen with `at_layer`
        self._meters: list[Cost] = []
        self._hashed: tuple[Any, str] = (None, "")

    @abstractmethod
    def forward(self, normalized: Tensor) -> Any:
        """The network's own output for normalized images; may be a tuple, a dict or an object with `.logits`."""

    @abstractmethod
    def split(self, images: Images) -> Split:
        """Cut the network at the feature layer: the last one, or the one chosen with `at_layer`."""

    # properties

    @property
    def image_size(self) -> tuple[int, int]:
        """Height and width."""
        return self.preprocess.size

    @property
    def channels(self) -> int:
        """Color channels of the images."""
        return len(self.mean)

    @property
    def device(self) -> torch.device:
        return next(self._tensors(), torch.zeros(())).device

    @property
    def dtype(self) -> torch.dtype:
        floating = (tensor.dtype for tensor in self._tensors() if tensor.is_floating_point())
        return next(floating, torch.float32)

    @property
    def fingerprint(self) -> str:
        """Hash of weights and configuration; recomputed only after a weight has changed."""
        tables = [table for module in submodules(self.module) for table in (module._parameters, module._buffers)]
        tensors = (tensor for table in tables for tensor in table.values() if tensor is not None)
        versions = tuple((tensor.data_ptr(), tensor._version) for tensor in tensors)
        if self._hashed[0] != versions:
            self._hashed = versions, self._hash()
        return self._hashed[1]

    def describe(self) -> str:
        """One line for reports and notebooks."""
        return f"{self.title} ({self.image_size[0]}x{self.image_size[1]} px)"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.describe()})"

    def with_size(self, size: tuple[int, int]) -> "Classifier":
        """The same network for images of another size (height, width); not for a ViT, whose size is fixed."""
        other = self._copy()
        other.preprocess, other.chunk = replace(self.preprocess, size=size), initial_chunk(size)
        return other

    def with_target(self, target: Callable[[Any], Tensor]) -> "Classifier":
        """The same network with a function of its outputs as scores: regression, similarity, one detection.

        `target` takes the network's outputs and returns a score per image (batch), or several (batch, scores).
        """
        other = self._copy()
        other.outputs, other.class_names = Outputs("score", target=target), None
        return other

    def of_label(self, label: int) -> "Classifier":
        """The same network as a decision about one of several independent labels: class 0 is no, class 1 is yes."""
        other, outputs = self._copy(), self.outputs

        def decide(output: Any) -> Tensor:
            logit = outputs.logits(output, self.name)[:, label : label + 1]
            logit = logit.logit(eps=1e-6) if outputs.kind == "probabilities" else logit
            return torch.cat([-logit, logit], dim=1)

        name = str(label) if self.class_names is None else self.class_names[label]
        other.outputs, other.class_names = Outputs("sigmoid", target=decide), (f"not {name}", name)
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the model without caches, meters and callbacks."""
        state = {**self.__dict__, "cache": {}, "_meters": [], "listener": None, "_hashed": (None, "")}
        return _new_model, (executed_files(), type(self)), state

    def _copy(self) -> "Classifier":
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.cache, other._meters, other.listener, other._hashed = {}, [], None, (None, "")
        return other

    # forward and backward

    def logits(self, images: Images) -> Logits:
        """Logits, in one pass where gradients are needed, else in chunks that fit the memory."""
        if torch.is_grad_enabled() and images.requires_grad:
            logits = self._logits(images)
        else:
            logits = torch.cat(self.run_chunks(self._logits, images))
        if self.listener is not None:
            self.notify(images, logits)
        return logits

    def run_chunks(
        self, function: Callable[..., Part], batch: Tensor | tuple[Tensor, ...], *, memory: int = 1
    ) -> list[Part]:
        """Apply `function` to slices of `chunk` images; the chunk grows while memory suffices, and shrinks otherwise.

        `memory` is what the function needs per image, relative to a forward pass without a graph.
        """
        size = max(1, self.chunk // memory)
        parts, works = in_chunks(function, batch, size)
        if works < size:
            self.chunk = self.chunk_limit = works * memory  # larger chunks are not tried again
        elif len(parts) > 1:
            limit = self.chunk_limit or (self.chunk if self.device.type == "cpu" else LARGEST_CHUNK)
            self.chunk = max(self.chunk, min(2 * self.chunk, limit))
        return parts

    def probabilities(self, images: Images) -> Float[Tensor, "batch outputs"]:
        """Probabilities of the classes, as the model's `outputs` define them; without gradients."""
        with torch.no_grad(), self.frozen_eval():
            return self.to_probabilities(self.logits(images))

    def to_probabilities(self, logits: Logits) -> Float[Tensor, "batch outputs"]:
        return self.outputs.probabilities(logits)

    def to_log_probabilities(self, logits: Logits) -> Float[Tensor, "batch outputs"]:
        return self.outputs.log_probabilities(logits)

    def scores(self, logits: Logits, targets: Targets, *, kind: ScoreKind = "logit") -> Scores:
        """Logits, probabilities or log-probabilities of the targets, or their margin over the best other class."""
        if kind == "logit":
            return logits.gather(1, targets)
        if kind == "prob":
            return self.to_probabilities(logits).gather(1, targets)
        if kind == "logprob":
            return self.to_log_probabilities(logits).gather(1, targets)
        if logits.shape[1] == 1:  # a target function: there is no other class
            return logits.gather(1, targets)
        rivals = logits.unsqueeze(1).repeat(1, targets.shape[1], 1)  # batch classes outputs
        rivals = rivals.scatter(2, targets.unsqueeze(2), -torch.inf)
        return logits.gather(1, targets) - rivals.amax(dim=-1)

    def normalize(self, images: Images) -> Tensor:
        """The network's input. Every pass starts here; raises if the images have the wrong size."""
        self._check_size(images)
        mean, std = (images.new_tensor(color).view(-1, 1, 1) for color in (self.mean, self.std))
        return (images - mean).div_(std).to(self.dtype)

    def gradients(
        self, scores: Scores, inputs: Sequence[Tensor], *, share: float = 1.0, retain: bool = False
    ) -> list[Tensor]:
        """d score / d input, `batch classes …` per input, from one graph.

        A score must depend on its own image only. `share` is the fraction of the network covered by the backward pass,
        for the meter; `retain` keeps the graph for another backward pass.
        """
        if not scores.requires_grad:
            self.outputs.check_graph(scores)
        classes = scores.shape[1]
        rows = [
            torch.autograd.grad(
                scores[:, k].sum(),
                inputs,
                retain_graph=retain or k < classes - 1,
                allow_unused=True,
                materialize_grads=True,
            )
            for k in range(classes)
        ]
        self.count(backwards=scores.numel() * share)
        if classes == 1:  # without a copy
            return [grads.unsqueeze(1) for grads in rows[0]]
        return [torch.stack(grads, dim=1) for grads in zip(*rows, strict=True)]

    def image_gradients(
        self, images: Images, targets: Targets, *, kind: ScoreKind = "logit"
    ) -> Float[Tensor, "batch classes colors height width"]:
        """d score / d pixel for many images, in chunks that fit the memory."""

        def of_rows(rows: Tensor) -> Tensor:
            part = images[rows].detach().requires_grad_()
            return self.gradients(self.scores(self._logits(part), targets[rows], kind=kind), [part])[0]

        with torch.enable_grad():
            rows = torch.arange(len(images), device=images.device)
            return torch.cat(self.run_chunks(of_rows, rows, memory=GRAPH))

    def groups(self, images: int, passes: int, *, memory: int = GRAPH) -> list[slice]:
        """Slices of images to run together so that chunks are full, for this number of passes per image."""
        size = max(1, self.chunk // memory // passes)
        return [slice(start, start + size) for start in range(0, images, size)]

    def in_unit(self, gradients: Tensor, unit: GradientUnit) -> Tensor:
        """Pixel gradients (`… 3 height width`) with respect to pixels in [0, 1], or to normalized inputs."""
        return gradients if unit == "pixel" else gradients * gradients.new_tensor(self.std).view(3, 1, 1)

    def feature_gradients(self, images: Images, targets: Targets) -> tuple[FeatureMaps, Tensor]:
        """The last feature maps, and d logit / d features (`batch classes channels rows cols`), for CAM methods."""
        split = self.split(images)
        self.notify(images, split.logits)
        (gradients,) = self.gradients(self.scores(split.logits, targets), [split.features], share=split.share)
        return split.features.detach(), gradients

    # feature layers, for CAM methods

    def feature_layer_at(self, layer: Layer) -> FeatureLayer:
        """The layer at which CAM methods cut the network, for a value of the option `layer`."""
        with self.at_layer(layer):
            return self.feature_layer

    @property
    def feature_layer(self) -> FeatureLayer:
        """The layer at which CAM methods cut the network: the last feature map, or the one chosen with `at_layer`."""
        known: dict[str | int | None, FeatureLayer] = self.cache.setdefault("feature layers", {})
        key = layer_name(self.module, self.layer) if isinstance(self.layer, nn.Module) else self.layer
        if key in known:
            return known[key]
        with torch.no_grad(), self.frozen_eval(), self.unmetered():
            found, certain = self._find_layer(key)
        if certain:
            known[key] = found
        return found

    def _find_layer(self, layer: str | int | None) -> tuple[FeatureLayer, bool]:
        images = quadrant_images(self.image_size, self.channels).to(self.device)
        probe = Probe(self.module, self.name, self._logits_with_graph, images)
        if layer is None:
            return find_last(probe)
        return find_named(probe, self.layer_at(layer, block_names(probe)) if isinstance(layer, int) else layer), True

    def layer_at(self, index: int, blocks: Sequence[str]) -> str:
        """The name of a block by index, from the end if negative."""
        if not -len(blocks) <= index < len(blocks):
            raise OptionError(
                f"layer must be from {-len(blocks)} to {len(blocks) - 1}, an index of a block; got {index}"
            )
        return blocks[index]

    @contextmanager
    def at_layer(self, layer: Layer) -> Iterator[None]:
        """Inside the context, CAM methods read this layer: name, submodule or index of a block; None: the last."""
        before, self.layer = self.layer, layer
        try:
            yield
        finally:
            self.layer = before

    # contexts

    @contextmanager
    def method_context(self, layer: Layer) -> Iterator[None]:
        """The context that every method runs in: `frozen_eval`, gradients enabled, `at_layer` for CAM methods."""
        with self.frozen_eval(), self.at_layer(layer), torch.enable_grad():
            yield

    @contextmanager
    def frozen_eval(self) -> Iterator[None]:
        """Evaluation mode and frozen parameters, out of inference mode; restored on exit."""
        grad, modules = torch.is_grad_enabled(), submodules(self.module)
        training = [module for module in modules if module.training]
        parameters = (parameter for module in modules for parameter in module._parameters.values())
        trainable = [parameter for parameter in parameters if parameter is not None and parameter.requires_grad]
        try:
            if training:
                self.module.eval()
            for parameter in trainable:
                parameter.requires_grad_(False)
            with torch.inference_mode(False), torch.set_grad_enabled(grad):
                yield
        finally:
            for module in training:
                module.training = True
            for parameter in trainable:
                parameter.requires_grad_(True)

    @contextmanager
    def meter(self) -> Iterator[Cost]:
        """Count forward and backward passes (in images) and seconds inside the context."""
        cost = Cost()
        self._meters.append(cost)
        start = self._clock()
        try:
            yield cost
        finally:
            cost.seconds = self._clock() - start
            self._meters = [meter for meter in self._meters if meter is not cost]

    @contextmanager
    def unmetered(self) -> Iterator[None]:
        """Exclude the passes inside the context from all running meters."""
        meters, self._meters = self._meters, []
        try:
            yield
        finally:
            self._meters = meters

    def count(self, *, forwards: float = 0.0, backwards: float = 0.0) -> None:
        """Add to all running meters."""
        for cost in self._meters:
            cost.forwards += forwards
            cost.backwards += backwards

    # internals

    def _logits(self, images: Images) -> Logits:
        logits = self.as_logits(self.forward(self.normalize(images)))
        if self.outputs.target is not None and len(logits) != len(images):
            raise ModelError(f"target() must return a score per image: {len(logits)} for a batch of {len(images)}")
        self.count(forwards=len(images))
        return logits

    def _logits_with_graph(self, images: Images) -> Logits:
        """Logits; raises if they should have a gradient and have none."""
        logits = self._logits(images)
        if torch.is_grad_enabled():
            self.outputs.check_graph(logits)
        return logits

    def as_logits(self, output: Any) -> Logits:
        """The logits in a network's output; half precision is converted to float32."""
        return self.outputs.logits(output, self.name)

    def _check_size(self, images: Images) -> None:
        if tuple(images.shape[-2:]) != tuple(self.image_size):
            raise ShapeError(
                f"{self.name} takes images of {self.image_size[0]}x{self.image_size[1]} pixels, "
                f"got {images.shape[-2]}x{images.shape[-1]}. Resize them, or pass files to seewhy.explain()."
            )

    def _tensors(self) -> Iterator[Tensor]:
        yield from self.module.parameters()
        yield from self.module.buffers()

    def _hash(self) -> str:
        tensors = {**dict(self.module.named_parameters()), **dict(self.module.named_buffers())}
        facts: tuple[object, ...] = ()
        if self.outputs != Outputs():
            facts = self.outputs.kind, self.outputs.key, getattr(self.outputs.target, "__name__", "")
        if self.preprocess.transform is not None:
            facts += (transform_digest(self.preprocess.transform),)
        return fingerprint_of(tensors, type(self.module).__name__, self.preprocess, self.class_names, *facts)

    def _clock(self) -> float:
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)
        return time.perf_counter()


def initial_chunk(size: tuple[int, int]) -> int:
    """Images in the initial chunk: 8 of 224 x 224 pixels, more if they are smaller, fewer if they are larger.

    On a CPU the tensors of larger chunks are returned to the operating system, and each new one costs page faults.
    """
    return min(max(1, CHUNK_PIXELS // (size[0] * size[1])), LARGEST_CHUNK)


def submodules(module: nn.Module) -> list[nn.Module]:
    """The module and all modules below it; `modules()` takes six times as long, too slow for every pass."""
    found = [module]
    for each in found:  # the list grows
        found += [child for child in each._modules.values() if child is not None]
    return found


def _new_model(files: OwnFiles, kind: type[Classifier]) -> Classifier:  # noqa: ARG001 - unpickled before the class
    """An empty model to unpickle into, in a process that may not have imported the network's library yet."""
    declare_operators()
    return object.__new__(kind)


def fingerprint_of(tensors: Mapping[str, Tensor], *facts: object) -> str:
    """A hash of named tensors, independent of their order, and of further facts."""
    digest = hashlib.blake2b(digest_size=8)
    digest.update(repr(facts).encode())
    for name, tensor in sorted(tensors.items()):
        digest.update(name.encode())
        digest.update(tensor.detach().reshape(-1).contiguous().view(torch.uint8).cpu().numpy().data)
    return digest.hexdigest()
