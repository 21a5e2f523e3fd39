"""The explorer: one image, its explanations and their measured curves as an interactive file that needs no server."""

from .bundle import Bundle, make_bundle
from .html import notebook_html, write_html

__all__ = ["Bundle", "make_bundle", "notebook_html", "write_html"]
