"""Folders of reports and audits, shown in a sandbox: their scripts run, but cannot use the API."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from seewhy.ui.errors import not_found
from seewhy.ui.guard import SANDBOX
from seewhy.ui.page import Page

STARTS = ("report.html", "audit.html", "index.html", "explorer.html")
SUFFIXES = (".html", ".png", ".jpg", ".jpeg", ".webp", ".svg", ".css", ".csv", ".md", ".tex", ".json")


def report_files(folder: Path) -> dict[str, Path]:
    """The files of a report by their path below its folder; requests are compared with these, never joined."""
    root = folder.resolve()
    found = (path for path in sorted(root.rglob("*")) if path.suffix.lower() in SUFFIXES and path.is_file())
    return {path.relative_to(root).as_posix(): path for path in found if path.resolve().is_relative_to(root)}


def start_page(files: dict[str, Path]) -> str | None:
    """The page to open: a known name, as high up as possible, else any."""
    pages = sorted((name for name in files if name.endswith(".html")), key=lambda name: (name.count("/"), name))
    known = [name for start in STARTS for name in pages if name.rpartition("/")[2] == start]
    return next(iter([*known, *pages]), None)


async def list_reports(page: Page, _request: Request) -> Response:
    found = []
    for number, folder in enumerate(page.settings.reports):
        files = report_files(folder)
        start = start_page(files)
        if start is not None:
            kind = "audit" if any("audit" in name for name in files) else "benchmark"
            href = f"reports/{page.settings.report_key}/{number}/{start}"
            found.append({"name": folder.resolve().name, "kind": kind, "href": href})
    return JSONResponse({"reports": found})


async def show_report(page: Page, request: Request) -> Response:
    number = request.path_params["number"]
    if number >= len(page.settings.reports) or request.path_params["key"] != page.settings.report_key:
        raise not_found("report")
    files = report_files(page.settings.reports[number])
    if request.path_params["path"] not in files:
        raise not_found("file")
    return FileResponse(
        files[request.path_params["path"]],
        headers={"Content-Security-Policy": SANDBOX, "Cross-Origin-Resource-Policy": "cross-origin"},
    )


ROUTES = [("GET", "/reports", list_reports)]
FILES = [("GET", "/reports/{key}/{number:int}/{path:path}", show_report)]
