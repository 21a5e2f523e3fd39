"""The explainer that a training keeps: the best one on held-out images, scored at the end on others; and its card."""

import logging
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seewhy.errors import ModelError
from seewhy.explainers.files import read_metadata
from seewhy.explainers.network import AHAExplainer
from seewhy.train.average import WeightAverage
from seewhy.train.card import write_card
from seewhy.train.checkpoint import Progress
from seewhy.train.evaluation import evaluate_explainer
from seewhy.train.images import Examples, TrainingImages
from seewhy.train.log import TrainingLog
from seewhy.train.processes import Processes
from seewhy.train.tracking import Tracker

logger = logging.getLogger("seewhy.train.loop")


@dataclass
class HeldOut:
    """Held-out images: some select the explainer, others are for its report."""

    images: TrainingImages
    selection: Examples
    report: list[int]  # indices

    @classmethod
    def of(cls, images: TrainingImages, *, evaluated: int, reported: int) -> "HeldOut":
        selection, report = images.split_held_out(evaluated, reported)
        return cls(images, images.read_held_out(selection), report)


@dataclass
class BestExplainer:
    """Evaluates the explainer in training and writes it to `out` when it is the best so far."""

    out: Path
    explainer: AHAExplainer
    average: WeightAverage
    held_out: HeldOut
    processes: Processes
    progress: Progress
    log: TrainingLog
    tracker: Tracker
    settings: dict[str, Any]  # for explainer.json
    total: int  # steps

    def evaluate(self) -> None:
        """Score the images of the selection, and write the explainer if it is the best so far."""
        progress, images = self.progress, self.held_out.selection.images
        with self.average.applied():
            scores = evaluate_explainer(self.explainer, images, processes=self.processes)
            better = math.isfinite(scores["ins_del"]) and (progress.best is None or scores["ins_del"] > progress.best)
            if better:
                progress.best, progress.best_step = scores["ins_del"], progress.step
                self._save(scores)
            self.tracker.log_maps(self.explainer, images, progress.step)
        progress.stale = 0 if better else progress.stale + 1
        self.log.append({"step": progress.step, "scores": scores})
        self.tracker.log({f"selection/{name}": value for name, value in scores.items()}, progress.step)
        if self.processes.is_first:
            self._print(scores)

    def _save(self, scores: dict[str, float]) -> None:
        if not self.processes.is_first:
            return
        training = self.settings | {"step": self.progress.step, "scores": scores}
        names = self.held_out.images.names(self.held_out.images.held_out)
        self.explainer.save(self.out, half=True, training=training, held_out_images=names)

    def _print(self, scores: dict[str, float]) -> None:
        best, problems = self.progress.best, self.progress.problems
        logger.info(
            "step %d of %d: deletion %.4f, insertion %.4f, ins-del %.4f, best %s%s",
            *(self.progress.step, self.total, scores["deletion"], scores["insertion"], scores["ins_del"]),
            "none yet" if best is None else f"{best:.4f} (step {self.progress.best_step})",
            f"; {len(problems)} files could not be read" if problems else "",
        )

    def finish(self, **card: Any) -> AHAExplainer:
        """Load the best explainer, score it on images that did not select it, and write its card."""
        if self.progress.best is None:
            raise ModelError(
                f"no explainer was written to {self.out}: insertion and deletion on the held-out images were never "
                f"finite. Check that {self.explainer.model.name} gives finite probabilities for them."
            )
        self.processes.accelerator.wait_for_everyone()
        best = AHAExplainer.load(self.out, self.explainer.model)
        report = self._report(best)
        if self.processes.is_first:
            problems = [*self.held_out.selection.problems, *self.progress.problems]
            if problems:
                logger.warning("%d files could not be read and were skipped, the first: %s", len(problems), problems[0])
            write_card(self.out, best, self.progress, problems, report=report, **card)
        self.processes.accelerator.wait_for_everyone()
        self.tracker.close()
        return best

    def _report(self, best: AHAExplainer) -> dict[str, float] | None:
        """Scores of the best explainer on the images of the report, also in explainer.json; None without images."""
        examples = self.held_out.images.read(self.held_out.report)
        if len(examples.images) == 0:
            return None
        metadata = read_metadata(self.out)
        known = metadata["training"].get("report")
        if known is not None:
            return known
        report = evaluate_explainer(best, examples.images, processes=self.processes)
        if self.processes.is_first:
            training = metadata["training"] | {"report": report}
            best.save(self.out, half=True, training=training, held_out_images=metadata["held_out_images"])
            logger.info("ins-del on %d other held-out images: %.4f", report["images"], report["ins_del"])
        self.tracker.log({f"report/{name}": value for name, value in report.items()}, self.progress.step)
        return report
