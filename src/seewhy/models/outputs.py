"""The meaning of a network's outputs, and how logits and probabilities are computed from them.

| kind            | outputs of the network            | probability of a class      |
|-----------------|-----------------------------------|-----------------------------|
| `softmax`       | logits of mutually exclusive classes | softmax                  |
| `sigmoid`       | logits of independent labels, or a single one | sigmoid         |
| `probabilities` | probabilities already             | the output itself           |
| `score`         | the value of a target function    | the value itself            |

A network with a single output is binary: the output is the logit of class 1, its negative that of class 0.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from seewhy.errors import InputError, ModelError
from seewhy.runtime.chunks import out_of_memory
from seewhy.types import Logits

OutputKind = Literal["softmax", "sigmoid", "probabilities", "score"]
Probabilities = Float[Tensor, "batch outputs"]
KEYS = ("logits", "out", "output")  # of networks that return a dict
FEATURES = ("last_hidden_state", "pooler_output")  # of networks of Hugging Face that have no head
NO_HEAD = (
    "the network has no classification head, only features. Load it with a head, as "
    "AutoModelForImageClassification.from_pretrained(…) does, or explain a function of the features: "
    "wrap_model(…, target=function)."
)
WRAP = (
    "Wrap a module that ends in a classification head, or explain a function of the outputs that returns a score per "
    "image: wrap_model(…, target=function)."
)
TORCH_ONLY = (
    "Compute a score for every image of the batch from the outputs with operations of torch, as outputs[:, 0] - "
    "outputs[:, 1]: .detach(), .item(), .numpy() and torch.no_grad() cut the gradients off, so that only methods that "
    "need none remain, such as occlusion and rise."
)
NOT_A_HEAD = (nn.Identity, nn.Dropout, nn.Flatten, nn.LayerNorm, nn.BatchNorm1d)  # their outputs are still features
# operations, as autograd calls them
SQUASHING = re.compile("Softmax|Sigmoid|Hardsigmoid")
KEEPS_PROBABILITIES = re.compile(
    "View|UnsafeView|Reshape|ReshapeAlias|Squeeze|Unsqueeze|Permute|Transpose|T|Select|Slice|Index|Clone|Alias|ToCopy|"
    "Clamp|Stack|Cat|Mean|Sum|Add|Sub|Rsub|Mul|Div"
)
EXPECTED = "the model must return logits of shape (batch, classes)"
SUM_TOLERANCE = 1e-3  # of probabilities


@dataclass(frozen=True)
class Outputs:
    """`key`: the entry of a dict, tuple or object; `target` turns the outputs into one or more scores per image.

    `columns`: the number of outputs per image, for networks that squeeze those of a single image.
    """

    kind: OutputKind = "softmax"
    key: str | int | None = None
    target: Callable[[Any], Tensor] | None = None
    columns: int = field(default=1, compare=False)

    @property
    def target_name(self) -> str:
        """Name of the target function, for labels."""
        name = getattr(self.target, "__name__", "score")
        return "score" if name == "<lambda>" else name

    @property
    def _function(self) -> str:
        """The target function in a message."""
        return repr(getattr(self.target, "__name__", type(self.target).__name__))

    def logits(self, output: Any, name: str) -> Logits:
        """The logits in an output; half precision is converted to float32."""
        if self.target is not None:
            logits = self._scores(output)
        else:
            expected = f"{name} must return logits of shape (batch, classes)"
            logits = self.two_classes(as_table(unwrap(output, self.key), expected, columns=self.columns))
        return logits if logits.dtype == torch.float64 else logits.float()

    def _scores(self, output: Any) -> Tensor:
        """The scores of the target function; its errors name it."""
        try:
            scores = self.target(output)  # type: ignore[misc]
        except Exception as error:
            if out_of_memory(error):
                raise
            raise ModelError(
                f"the target function {self._function} raised {type(error).__name__}: {error}. {TORCH_ONLY}"
            ) from error
        expected = f"the target function {self._function} must return a score per image, (batch) or (batch, scores)"
        return as_table(scores, expected, TORCH_ONLY)

    def check_graph(self, scores: Tensor) -> None:
        """Raise if the scores have no gradient."""
        if not scores.requires_grad:
            raise ModelError(
                f"the scores of the target function {self._function} have no gradient. {TORCH_ONLY}"
                if self.target is not None
                else "the outputs of the network have no gradient: it detaches a tensor, or runs under torch.no_grad()"
            )

    def two_classes(self, logits: Tensor) -> Tensor:
        """Logits of two classes from a single output; others unchanged."""
        if logits.shape[1] != 1:
            return logits
        return torch.cat([1 - logits if self.kind == "probabilities" else -logits, logits], dim=1)

    def probabilities(self, logits: Logits) -> Probabilities:
        if self.kind == "softmax":
            return logits.softmax(dim=-1)
        return logits.sigmoid() if self.kind == "sigmoid" else logits

    def independent(self, probabilities: Probabilities) -> bool:
        """Whether these are probabilities of several labels, not of classes that exclude each other."""
        return self.kind in ("sigmoid", "probabilities") and not _sums_to_one(probabilities)

    def log_probabilities(self, logits: Logits) -> Probabilities:
        if self.kind == "softmax":
            return logits.log_softmax(dim=-1)
        return (
            F.logsigmoid(logits) if self.kind == "sigmoid" else logits.clamp(min=torch.finfo(logits.dtype).tiny).log()
        )


def as_table(output: Any, expected: str, advice: str = WRAP, *, columns: int = 1) -> Tensor:
    """The output as `batch columns`."""
    if not isinstance(output, Tensor) or output.ndim > 2:
        actual = tuple(output.shape) if isinstance(output, Tensor) else type(output).__name__
        raise ModelError(f"{expected}, got {actual}. {advice}")
    if not output.is_floating_point():
        raise ModelError(f"{expected}, got {output.dtype}: class indices have no scores. {advice}")
    return output.reshape(-1, columns) if output.ndim < 2 else output


def unwrap(output: Any, key: str | int | None = None) -> Tensor:
    """The logits in the output of a network: a tensor, `.logits`, `["logits"]`, the first of a tuple, or the `key`."""
    if key is not None:
        return _entry(output, key)
    if isinstance(output, Tensor):
        return output
    if hasattr(output, "logits"):
        return output.logits
    if isinstance(output, dict):
        found = next((name for name in KEYS if name in output), None)
        if found is None and not set(FEATURES).isdisjoint(output):
            raise ModelError(NO_HEAD)
        if found is None:
            raise ModelError(
                f"the model returned a dict with the keys {', '.join(map(repr, output))}, none of them 'logits'. "
                "Pass the key of the logits: wrap_model(…, output_key=…)."
            )
        return output[found]
    if isinstance(output, (tuple, list)) and output:
        return unwrap(output[0])
    raise ModelError(f"the model must return logits, got {type(output).__name__}")


def _entry(output: Any, key: str | int) -> Tensor:
    try:
        return output[key] if isinstance(key, int) or isinstance(output, dict) else getattr(output, key)
    except (KeyError, IndexError, AttributeError, TypeError):
        known = list(output) if isinstance(output, dict) else type(output).__name__
        raise InputError(f"output_key={key!r} is not in the output of the model, which is {known}") from None


def detect_kind(module: nn.Module, output: Any, key: str | int | None) -> OutputKind:
    """The kind of outputs, detected from a pass with a graph: probabilities, or a single logit; by default softmax."""
    values = as_table(unwrap(output, key), EXPECTED)
    low, high = (float(value) for value in values.detach().aminmax())
    if (low >= 0 and high <= 1 and _computed_from_probabilities(values)) or _sums_to_one(values.detach().float()):
        return "probabilities"
    if _percentages(values.detach().float()):
        raise ModelError(
            "the outputs are from 0 to 100 and add up to 100: these look like percentages. Let the network return "
            'probabilities or logits; if they are logits: wrap_model(…, outputs="softmax").'
        )
    several = getattr(getattr(module, "config", None), "problem_type", None) == "multi_label_classification"
    return "sigmoid" if values.shape[1] == 1 or several else "softmax"


def _computed_from_probabilities(values: Tensor) -> bool:
    """Whether a softmax or sigmoid comes last, or only a change of shape or type, a mean or the like after it."""
    nodes, seen = [values.grad_fn], set()
    while nodes:
        node = nodes.pop()
        name = type(node).__name__.partition("Backward")[0]
        if SQUASHING.fullmatch(name):
            return True
        if node not in seen and KEEPS_PROBABILITIES.fullmatch(name):
            nodes += [each for each, _ in node.next_functions]  # type: ignore[union-attr]
        seen.add(node)
    return False


def check_probabilities(values: Tensor) -> None:
    """Raise unless the values lie in [0, 1]."""
    low, high = (float(value) for value in values.detach().aminmax())
    if low < -SUM_TOLERANCE or high > 1 + SUM_TOLERANCE:
        raise ModelError(
            f'outputs="probabilities", but the network returns values from {low:.3g} to {high:.3g}. For logits: '
            'outputs="softmax" if classes exclude each other, "sigmoid" for independent labels'
        )


def _sums_to_one(values: Tensor) -> bool:
    return (
        values.shape[1] > 1
        and bool((values >= 0).all())
        and bool(((values.sum(dim=1) - 1).abs() < SUM_TOLERANCE).all())
    )


def _percentages(values: Tensor) -> bool:
    return _sums_to_one(values / 100)


def check_head(module: nn.Module, run: Callable[[], Any], key: str | int | None, name: str) -> Any:
    """The output of `run`; raises if it is that of a pooling, norm or identity layer, so that there is no head."""
    seen: list[tuple[nn.Module, Tensor]] = []

    def watch(layer: nn.Module, _inputs: Any, output: Any) -> None:
        if isinstance(output, Tensor):
            seen.append((layer, output))

    leaves = [layer for layer in module.modules() if not any(True for _ in layer.children())]
    handles = [layer.register_forward_hook(watch) for layer in leaves]
    try:
        output = run()
    finally:
        for handle in handles:
            handle.remove()
    if key in FEATURES:
        raise ModelError(NO_HEAD)
    logits = unwrap(output, key)
    if getattr(module, "num_classes", None) == 0 or _are_features(seen, logits):
        raise ModelError(
            f"{name} has no classification head: its {logits.shape[-1]} outputs are features, not logits of classes. "
            "Give it a head (num_classes=…, with weights for it), or explain a function of the features: "
            'wrap_model(…, target=function). If they are logits: wrap_model(…, outputs="softmax").'
        )
    return output


def _are_features(seen: list[tuple[nn.Module, Tensor]], logits: Tensor) -> bool:
    """Whether the outputs are those of a pooling, norm or identity layer without a linear layer as head."""
    makers = [layer for layer, made in seen if made.data_ptr() == logits.data_ptr()]
    if not makers or not all(isinstance(layer, NOT_A_HEAD) or "Pool" in type(layer).__name__ for layer in makers):
        return False
    last = next((layer for layer, _ in reversed(seen) if any(True for _ in layer.parameters())), None)
    ends = isinstance(last, nn.Linear) or getattr(last, "kernel_size", None) in ((1,), (1, 1))
    return any(isinstance(layer, nn.Identity) for layer in makers) or not ends
