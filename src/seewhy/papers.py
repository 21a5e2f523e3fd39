"""The papers behind methods and metrics: `papers.bib`, read by key."""

import re
from functools import cache
from importlib.resources import files

from seewhy.errors import UnknownName


@cache
def read_papers() -> dict[str, str]:
    """BibTeX entries by their keys."""
    entries = (files("seewhy") / "papers.bib").read_text(encoding="utf-8").strip().split("\n\n")
    return {re.match(r"@\w+\{(\w+),", entry)[1]: entry for entry in entries}  # type: ignore[index]


def bibtex(key: str) -> str:
    """One entry as it stands in the file.

    >>> print(bibtex("petsiuk2018").splitlines()[0])
    @inproceedings{petsiuk2018,
    """
    papers = read_papers()
    if key not in papers:
        raise UnknownName("paper", key, papers)
    return papers[key]


def paper_field(key: str, field: str) -> str:
    """One field of an entry; empty where it has none.

    >>> paper_field("petsiuk2018", "year"), paper_field("petsiuk2018", "author").partition(",")[0]
    ('2018', 'Petsiuk')
    """
    found = re.search(rf"^ +{field} = {{+(.*?)}}+,?$", bibtex(key), flags=re.MULTILINE)
    return found[1] if found else ""
