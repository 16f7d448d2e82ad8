"""Asks axe-core what keeps people out of a page."""

import hashlib
from functools import cache
from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parent / "axe" / "axe.min.js"
AXE_VERSION = "4.14.1"
AXE_SHA256 = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"

_RUN = """
async scripts => {
  // Where JavaScript is off no timer ever fires, but promises are kept.
  if (!scripts) window.setTimeout = act => { Promise.resolve().then(act); return 0; };
  const found = await axe.run(document, {preload: false, resultTypes: ["violations"]});
  return found.violations.flatMap(rule => rule.nodes.map(
    node => `${rule.id} (${rule.help}): ${node.html.slice(0, 200)}`));
}
"""


@cache
def read_axe() -> str:
    """The text of axe-core; raises AssertionError when it is not the published file."""
    content = AXE.read_bytes()
    assert hashlib.sha256(content).hexdigest() == AXE_SHA256, f"{AXE.name} is not version {AXE_VERSION}"
    return content.decode()


def find_barriers(page: Page, scripts: bool) -> list[str]:
    """One line for each element that breaks a rule, under the page's own security policy."""
    page.evaluate(read_axe())
    found: list[str] = page.evaluate(_RUN, scripts)
    return found
