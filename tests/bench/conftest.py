"""A browser to look at reports."""

from browser_fixtures import browser, open_page  # noqa: F401
