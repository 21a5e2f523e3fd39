"""The explorer: images, their explanations and measured curves as an interactive file that needs no server."""

from .bundle import Bundle
from .collect import make_bundle
from .html import notebook_html, write_html
from .view import View, view

__all__ = ["Bundle", "View", "make_bundle", "notebook_html", "view", "write_html"]
