"""The result of an audit: findings with verdicts, effects and files; saved as `findings.json`."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from seewhy.audits.judge import CONFIRMED, SUSPECTED, UNSUPPORTED, Effect, Effects
from seewhy.errors import InputError
from seewhy.runtime.files import write_atomic
from seewhy.runtime.tables import html_table, text_table

FORMAT = 1
FILE = "findings.json"


@dataclass(frozen=True)
class Finding:
    """A cue that images of a class share, what was proven about it, and where it is."""

    name: str  # class and number, unique within an audit
    target: int
    class_name: str
    verdict: str  # confirmed, suspected or not supported
    reason: str
    effects: Effects
    p_necessary: float  # corrected for all candidates
    p_sufficient: float
    images: int  # that have the cue
    prevalence: float  # of the images predicted as the class
    area: float  # median fraction of the image that it covers
    position: str  # in words
    off_object: bool  # False: not known, there are no masks of the objects
    quality: Mapping[str, float]  # tightness, exclusivity, fixed, agreement, score
    masks: Mapping[str, str]  # by image: file of the cue's pixels, relative to the folder
    where: Sequence[float] = ()  # center of the cue: row and column, from 0 to 1

    @property
    def short_name(self) -> str:
        """The class name without synonyms."""
        return self.class_name.partition(",")[0]

    @property
    def summary(self) -> str:
        """One sentence for a person."""
        effects, count = self.effects, self.effects.sufficient.count
        return (
            f"Pasted into {count} images of other classes, it turns {round(effects.turned * count)} of them to "
            f"“{self.short_name}”; an equally large patch from elsewhere in the same images turns "
            f"{round(effects.turned_by_control * count)} (mean probability {effects.before:.0%} → {effects.after:.0%}, "
            f"with the other patch {effects.control:.0%})."
        )


@dataclass(frozen=True)
class Findings(Sequence[Finding]):
    """The findings of an audit, confirmed ones first, and facts about the run."""

    findings: tuple[Finding, ...]
    folder: Path
    model: str
    about: Mapping[str, Any] = field(default_factory=dict)  # images, accuracy, methods, cost, settings

    def __len__(self) -> int:
        return len(self.findings)

    def __getitem__(self, index: Any) -> Any:
        return self.findings[index]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    @property
    def confirmed(self) -> list[Finding]:
        return [each for each in self if each.verdict == CONFIRMED]

    @property
    def suspected(self) -> list[Finding]:
        return [each for each in self if each.verdict == SUSPECTED]

    @property
    def report(self) -> Path:
        """The HTML report."""
        return self.folder / "report.html"

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Verdict, class, effects and prevalence of each finding."""
        heads = ["verdict", "class", "decisions turned", "rise", "95 % interval", "p", "images", "position"]
        return heads, [_cells(each) for each in self]

    def __repr__(self) -> str:
        counts = Counter(each.verdict for each in self)
        first = ", ".join(f"{counts[name]} {name}" for name in (CONFIRMED, SUSPECTED, UNSUPPORTED))
        return f"Findings({self.model}: {first}; report: {self.report})\n{text_table(*self.table())}"

    def _repr_html_(self) -> str:
        return html_table(*self.table())

    def save(self) -> Path:
        """Write `findings.json`; returns its path."""
        path = self.folder / FILE
        content = {"format": FORMAT, "model": self.model, "about": self.about, "findings": list(map(asdict, self))}
        write_atomic(path, json.dumps(content, indent=1).encode(), resumes=True)
        return path


def load_findings(folder: str | Path) -> Findings:
    """The findings that an audit wrote to a folder."""
    path = Path(folder) / FILE
    if not path.is_file():
        raise InputError(f"{path}: there is no such file. `seewhy audit IMAGES --out {folder}` writes it.")
    content = json.loads(path.read_text())
    if content.get("format") != FORMAT:
        raise InputError(f"{path}: written by another version of seewhy; audit again.")
    findings = tuple(_finding(each) for each in content["findings"])
    return Findings(findings, Path(folder), content["model"], content["about"])


def _finding(content: dict[str, Any]) -> Finding:
    effects = {each.name: _effect(content["effects"][each.name]) for each in fields(Effects)}
    return Finding(**{**content, "effects": Effects(**effects), "where": tuple(content["where"])})


def _effect(value: Any) -> Any:
    return Effect(**value) if isinstance(value, dict) else value


def _cells(finding: Finding) -> list[str]:
    effect = finding.effects.sufficient
    return [
        finding.verdict,
        finding.short_name,
        f"{finding.effects.turned:.0%}",
        f"{effect.mean:+.2f}",
        f"{effect.low:+.2f} … {effect.high:+.2f}",
        f"{finding.p_sufficient:.2g}",
        f"{finding.prevalence:.0%}",
        finding.position,
    ]


@dataclass(frozen=True)
class Comparison:
    """The confirmed findings of one model beside those of another."""

    new: list[Finding]  # of the first model only
    gone: list[Finding]  # of the other model only
    both: list[tuple[Finding, Finding]]

    def __str__(self) -> str:
        parts = (("new", self.new), ("gone", self.gone), ("in both", [first for first, _ in self.both]))
        return "; ".join(f"{name}: {', '.join(map(_title, each)) or 'none'}" for name, each in parts)


def compare_findings(first: Findings, other: Findings) -> Comparison:
    """Match confirmed findings by class and position: those whose masks overlap, or that share most images."""
    left, both, new = list(other.confirmed), [], []
    for finding in first.confirmed:
        match = next((each for each in left if _same(finding, each)), None)
        if match is None:
            new.append(finding)
        else:
            left.remove(match)
            both.append((finding, match))
    return Comparison(new, left, both)


def _same(one: Finding, other: Finding) -> bool:
    """Whether two findings are about the same class and about as large and as fixed in position."""
    if one.target != other.target or not 0.2 < one.area / max(other.area, 1e-9) < 5:
        return False
    apart = max(abs(a - b) for a, b in zip(one.where, other.where, strict=True))
    return apart < 0.25 or one.position == other.position == "varies"


def _title(finding: Finding) -> str:
    return f"{finding.short_name} ({finding.position})"
