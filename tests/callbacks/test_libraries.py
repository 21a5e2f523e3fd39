"""The real libraries: Lightning, the Hugging Face Trainer, TensorBoard, MLflow, wandb; skipped if missing."""

import warnings

import pytest
import torch
from torch import nn

from conftest import TinyCNN
from seewhy.callbacks import MapLogger, MLflow, TensorBoard, WandB
from seewhy.models.huggingface import import_transformers
from seewhy.models.torchvision_operators import declare_operators

WRAPPING = {"image_size": 32, "mean": (0.5,) * 3, "std": (0.25,) * 3}
SCORES = {"deletion", "insertion", "ins_del", "drift"}


class Kept:
    """A sink that keeps its entries."""

    def __init__(self):
        self.entries, self.closed = [], False

    def write(self, entry):
        self.entries.append(entry)

    def close(self):
        self.closed = True


def make_logger(images, sink, **options):
    return MapLogger(
        images, every=2, sinks=[sink], budget=1e6, method="gradient", points=2, wrapping=WRAPPING | options
    )


def log_twice(images, sink):
    logger, network = make_logger(images, sink), TinyCNN()
    for step in (2, 4):
        logger.step(network, step)
        network.head.weight.data += 0.1 * torch.randn(5, 12, generator=torch.Generator().manual_seed(step))
    logger.close()


@pytest.fixture
def lightning():
    declare_operators()  # torchmetrics imports torchvision
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("pytorch_lightning", reason="needs pytorch-lightning")


@pytest.mark.filterwarnings("ignore")
def test_lightning(images, tmp_path, lightning):
    class Net(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.network = TinyCNN()

        def forward(self, pixels):
            return self.network(pixels)

        def training_step(self, batch, _index):
            return nn.functional.cross_entropy(self(batch[0]), batch[1])

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=0.1)

    data = torch.utils.data.TensorDataset(torch.rand(10, 3, 32, 32), torch.arange(10) % 5)
    kept = Kept()
    trainer = lightning.Trainer(
        max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
        enable_model_summary=False, default_root_dir=tmp_path, callbacks=[make_logger(images, kept).lightning()],
    )  # fmt: skip
    trainer.fit(Net(), torch.utils.data.DataLoader(data, batch_size=2))
    assert [entry.step for entry in kept.entries] == [2, 4]
    assert kept.entries[1].scalars["drift"] > 0
    assert kept.closed


@pytest.mark.filterwarnings("ignore")
def test_the_hugging_face_trainer(images, tmp_path):
    pytest.importorskip("transformers", reason="needs the extra [hf]")
    transformers = import_transformers()
    pytest.importorskip("accelerate", reason="the Trainer needs the extra [train]")
    sizes = {"image_size": 32, "patch_size": 8, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    network = transformers.ViTForImageClassification(
        transformers.ViTConfig(**sizes, intermediate_size=24, num_labels=5)
    )
    rows = [{"pixel_values": torch.rand(3, 32, 32), "labels": index % 5} for index in range(8)]
    arguments = transformers.TrainingArguments(
        output_dir=str(tmp_path), max_steps=4, per_device_train_batch_size=2, report_to=[], use_cpu=True,
        save_strategy="no", disable_tqdm=True, learning_rate=0.1,
    )  # fmt: skip
    kept = Kept()
    callback = make_logger(images, kept).transformers()
    transformers.Trainer(network, arguments, train_dataset=rows, callbacks=[callback]).train()
    assert [entry.step for entry in kept.entries] == [2, 4]
    assert kept.entries[1].scalars["drift"] > 0
    assert kept.closed


@pytest.mark.filterwarnings("ignore")
def test_tensorboard_files_are_read_back(images, tmp_path):
    reading = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator", reason="needs tensorboard")
    log_twice(images, TensorBoard(tmp_path))
    events = reading.EventAccumulator(str(tmp_path))
    events.Reload()
    assert {f"seewhy/{name}" for name in SCORES} <= set(events.Tags()["scalars"])
    assert [event.step for event in events.Scalars("seewhy/ins_del")] == [2, 4]
    assert {(image.width, image.height) for image in events.Images("seewhy/image 0")} == {(32, 32)}


@pytest.mark.filterwarnings("ignore")
def test_mlflow_to_a_local_folder(images, tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow", reason="needs mlflow-skinny")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    with mlflow.start_run() as run:
        log_twice(images, MLflow())
    client = mlflow.MlflowClient()
    history = client.get_metric_history(run.info.run_id, "seewhy/ins_del")
    assert [metric.step for metric in history] == [2, 4]
    assert len(list((tmp_path / "runs").rglob("00000004/*.png"))) == 2


@pytest.mark.filterwarnings("ignore")
def test_wandb_offline(images, tmp_path, monkeypatch):
    wandb = pytest.importorskip("wandb", reason="needs wandb")
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_SILENT", "true")
    with wandb.init(project="maps", dir=str(tmp_path)):
        log_twice(images, WandB())
    (log,) = (tmp_path / "wandb").glob("offline-run-*/*.wandb")
    assert b"seewhy/drift" in log.read_bytes()
    assert len(list(tmp_path.rglob("*.png"))) == 4
