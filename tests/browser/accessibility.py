"""The check that axe finds nothing wrong with a page."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def check_accessibility(page: Page) -> None:
    report = Axe().run(page)
    assert report.violations_count == 0, report.generate_report()
