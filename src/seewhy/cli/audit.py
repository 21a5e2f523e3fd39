"""`seewhy audit`: find cues that a model relies on, and prove which of them cause its decisions."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seewhy.cli import shared
from seewhy.cli.completion import complete_classes
from seewhy.cli.output import check_folder, emit
from seewhy.cli.shared import app, print_log

if TYPE_CHECKING:
    from seewhy.audits import Findings

LEVELS = ("confirmed", "suspected")


@app.command()
def audit(
    source: Annotated[
        str,
        typer.Argument(metavar="IMAGES", help="Folder, CSV, tar files, map store, or a data set: scenes:size=300."),
    ],
    model: shared.ModelOption = shared.DEFAULT_MODEL,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder of the report; resumes an audit found there.")
    ] = Path("seewhy-audit"),
    limit: Annotated[int | None, typer.Option(min=8, metavar="N", help="Audit N random images.")] = None,
    classes: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="Look for cues of these predicted classes only.",
            autocompletion=complete_classes,
        ),
    ] = None,
    method: shared.MethodOption = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", "-o", metavar="KEY=VALUE", help="Setting of the audit, such as effect=0.3; repeatable."
        ),
    ] = None,
    compare: Annotated[
        str | None, typer.Option(metavar="MODEL", help="Audit this model, too: which findings are new, which are gone?")
    ] = None,
    compare_weights: Annotated[
        str | None, typer.Option(metavar="FILE", help="Weights of the model to compare with.")
    ] = None,
    fail_on: Annotated[
        str | None, typer.Option(metavar="VERDICT", help="Exit with 1 if there is a finding: confirmed or suspected.")
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Explain a few images, estimate the cost, stop.")] = False,
    workers: Annotated[int, typer.Option(min=1, metavar="N", help="Processes on this machine.")] = 1,
    ray: Annotated[str | None, typer.Option(metavar="ADDRESS", help='A Ray cluster, or "local".')] = None,
    weights: shared.WeightsOption = None,
    class_names: shared.ClassNamesOption = None,
    prompt: shared.PromptOption = None,
    device: shared.DeviceOption = None,
) -> None:
    """Does the model cheat? Find cues that it relies on over a whole data set, and prove which cause its decisions."""
    from seewhy.audits.config import AuditConfig
    from seewhy.audits.findings import compare_findings
    from seewhy.audits.run import audit as run_audit
    from seewhy.audits.source import source_of_other
    from seewhy.cli import terminal
    from seewhy.cli.options import parse_options
    from seewhy.errors import OptionError
    from seewhy.runtime.options import check_names, hints

    if fail_on is not None and fail_on not in LEVELS:
        raise OptionError(f"--fail-on must be confirmed or suspected, got {fail_on!r}")
    check_folder(out)
    known = hints(AuditConfig)

    def annotation(name: str) -> Any:
        check_names([name], known, "the audit", "option")
        return known[name]

    settings = parse_options(option or [], annotation) | ({"method": method} if method else {})
    chosen = [word.strip() for word in classes.split(",")] if classes else None
    classifier = terminal.load(model, weights=weights, prompts=prompt, device=device, class_names=class_names)
    if plan:
        _print_plan(classifier, source, limit, chosen, settings)
        return
    print_log()
    run: dict[str, Any] = {"limit": limit, "classes": chosen, "workers": workers, "ray": ray, **settings}
    findings = run_audit(classifier, source, out=out, **run)
    about: dict[str, Any] = {}
    show_findings(findings)
    if compare is not None:
        other = terminal.load(compare, weights=compare_weights, prompts=None, device=device, class_names=class_names)
        audited = run_audit(other, source_of_other(source, other), out=out / "compared", **run)
        result = compare_findings(findings, audited)
        terminal.print_line(f"confirmed in {model}, beside {compare}: {result}")
        about = {"new": _names(result.new), "gone": _names(result.gone), "both": _names([a for a, _ in result.both])}
    counts = {"confirmed": len(findings.confirmed), "suspected": len(findings.suspected)}
    emit({"report": findings.report, **counts, "findings": [each.__dict__ for each in findings], "compared": about})
    failing = counts["confirmed"] + (counts["suspected"] if fail_on == "suspected" else 0)
    if fail_on is not None and failing:
        raise typer.Exit(1)


def show_findings(findings: "Findings") -> None:
    """Print the confirmed and suspected findings, and where the report is."""
    from seewhy.cli import terminal

    heads, rows = findings.table()
    shown = [row for row in rows if row[0] in LEVELS]
    if shown:
        terminal.console().print(terminal.table(f"Audit of {findings.model}", heads, shown))
    else:
        terminal.print_line(f"no cue of {findings.model} is confirmed or suspected")
    terminal.print_line(f"{len(rows)} candidates tested; wrote {findings.report}", style="dim")


def _print_plan(
    model: Any, source: str, limit: int | None, classes: list[str] | None, settings: dict[str, Any]
) -> None:
    from seewhy.audits.config import AuditConfig
    from seewhy.audits.plan import plan_audit
    from seewhy.audits.source import open_images
    from seewhy.cli import terminal

    config = AuditConfig(**settings)
    dataset = open_images(source, model, limit=limit, seed=config.seed)
    found = plan_audit(model, dataset, config, len(classes) if classes else None)
    terminal.print_line(str(found))
    emit(found.__dict__)


def _names(findings: list[Any]) -> list[str]:
    return [each.name for each in findings]
