"""Fixtures that tests of several folders share: one browser for the whole run, demonstrations to copy."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    """The system's Chromium, started once."""
    from tests.browser.chromium import running_chromium

    with running_chromium() as browser:
        yield browser
