"""The public names of seewhy. `__init__.py` reads this list and imports each name on first use."""

from seewhy import callbacks as callbacks
from seewhy import data as data
from seewhy import errors as errors
from seewhy import hub as hub
from seewhy import types as types
from seewhy import zoo as zoo
from seewhy.api import cite as cite
from seewhy.api import evaluate as evaluate
from seewhy.api import explain as explain
from seewhy.api import list_methods as list_methods
from seewhy.api import list_metrics as list_metrics
from seewhy.api import list_models as list_models
from seewhy.api import list_protocols as list_protocols
from seewhy.api import load_model as load_model
from seewhy.api import wrap_model as wrap_model
from seewhy.audits.run import audit as audit
from seewhy.bench import BenchConfig as BenchConfig
from seewhy.bench import benchmark as benchmark
from seewhy.comparison import compare as compare
from seewhy.data import open_dataset as open_dataset
from seewhy.defaults import default_method as default_method
from seewhy.explainers.network import AHAExplainer as AHAExplainer
from seewhy.explanation import Explanation as Explanation
from seewhy.explorer.view import view as view
from seewhy.models.adapters import register_adapter as register_adapter
from seewhy.models.classifier import Classifier as Classifier
from seewhy.models.vit import ViT as ViT
from seewhy.questions import cover as cover
from seewhy.questions import flip as flip
from seewhy.questions import patch_activations as patch_activations
from seewhy.questions import smallest_flip as smallest_flip
from seewhy.registry import register_evidence as register_evidence
from seewhy.registry import register_method as register_method
from seewhy.registry import register_metric as register_metric
from seewhy.registry import register_model as register_model
from seewhy.store import MapStore as MapStore
from seewhy.store import explain_dataset as explain_dataset
from seewhy.train import TrainConfig as TrainConfig
from seewhy.train import export_explainer as export_explainer
from seewhy.train import train_explainer as train_explainer
from seewhy.zoo.scenes import Scenes as Scenes

__version__: str
