"""Takes the README's pictures of a running demonstration: `python docs/pictures/take.py DATA_DIR ADDRESS`."""

import json
import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

FOLDER = Path(__file__).parent
TRIAGER = "triager@marica.exemplo.invalid"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--no-first-run"]


def main(data_dir: str, address: str) -> None:
    """Write the pictures beside this file."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        take_riders(browser, address)
        take_desk(browser, address, json.loads((Path(data_dir) / "demo-logins.json").read_text())[TRIAGER])
        browser.close()


def take_riders(browser: Browser, address: str) -> None:
    """What a passenger sees on a phone."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="pt-BR", is_mobile=True)
    page = context.new_page()
    page.goto(f"{address}/marica/veiculos?q=SEL0A01")
    page.screenshot(path=FOLDER / "seal.png")
    for name, path in (("town", ""), ("line", "linhas/v02"), ("fares", "tarifas")):
        page.goto(f"{address}/marica/{path}")
        page.screenshot(path=FOLDER / f"{name}.png")
    page.goto(f"{address}/marica/reclamar?linha=v02")
    page.screenshot(path=FOLDER / "form.png")
    page.fill("[name=relato]", "A van passou direto no ponto.")
    page.click("main button[type=submit]")
    page.wait_for_load_state("networkidle")
    page.screenshot(path=FOLDER / "receipt.png")


def take_desk(browser: Browser, address: str, password: str) -> None:
    """What a triager sees on a desktop."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}, locale="pt-BR").new_page()
    page.goto(f"{address}/equipe/entrar")
    page.fill("[name=email]", TRIAGER)
    page.fill("[name=senha]", password)
    page.click("main button[type=submit]")
    page.screenshot(path=FOLDER / "queue.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
