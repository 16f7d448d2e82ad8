"""`selo law`: list and show the rulebooks, and check a rulebook file. Needs no settings, database or network."""

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.cli import BadInput

if TYPE_CHECKING:
    from complaints.law.procedure import Step
    from complaints.law.schema import Rulebook

as_json_option = click.option("--json", "as_json", is_flag=True, help="Report as JSON.")


@click.group()
def law() -> None:
    """Look up laws, rights, offences and deadlines."""
    from complaints.law.rulebook import add_rulebook_folder

    folder = Path(os.environ.get("SELO_DATA_DIR") or "data") / "rulebooks"
    if folder.is_dir():
        add_rulebook_folder(folder)


@law.command("list")
@as_json_option
def list_(as_json: bool) -> None:
    """List the laws that Selo knows."""
    from complaints.law.rulebook import BadRulebook, get_rulebook, list_rulebooks

    rows, bad = [], []
    for law_id in list_rulebooks():
        try:
            rows.append(_summary(get_rulebook(law_id)))
        except BadRulebook as error:
            bad.append(str(error))
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        width = max(len(row["id"]) for row in rows)
        for row in rows:
            click.echo(f"{row['id']:{width}}  {row['name']}, {row['place']}")
    if bad:
        raise BadInput(f"left out, cannot be used: {' | '.join(bad)} (see `selo law check FILE`)")


@law.command()
@click.argument("rulebook")
@as_json_option
def show(rulebook: str, as_json: bool) -> None:
    """Show one law: services, fares, inspection and complaint subjects. RULEBOOK is an id of `selo law list`."""
    found = _get(rulebook)
    if as_json:
        click.echo(found.model_dump_json(by_alias=True, exclude_none=True, indent=2))
        return
    for line in _describe(found):
        click.echo(line)


@law.command()
@click.option("--jsonl", is_flag=True, help="One question per line in, one answer per line out, same order.")
def ask(jsonl: bool) -> None:
    """Answer a question put to a law as JSON on the standard input; exit 2 when it cannot be read."""
    if not jsonl:
        answer = _answer(sys.stdin.buffer.read())
        if "error" in answer:
            raise BadInput(f"{answer['error']['field']}: {answer['error']['message']}")
        click.echo(json.dumps(answer, ensure_ascii=False, indent=2))
        return
    malformed = 0
    for number, line in enumerate(sys.stdin.buffer, start=1):
        answer = _answer(line)
        click.echo(json.dumps(answer, ensure_ascii=False))
        if "error" in answer:
            malformed += 1
            click.echo(f"line {number}: {answer['error']['field']}: {answer['error']['message']}", err=True)
    if malformed:
        raise BadInput(f"{malformed} malformed {'question' if malformed == 1 else 'questions'}")


def _answer(content: bytes) -> dict[str, Any]:
    from complaints.law.asking.engine import ask as put
    from complaints.law.asking.malformed import MalformedQuestion
    from complaints.law.asking.question_json import read_json

    try:
        return put(read_json(content))
    except MalformedQuestion as error:
        return dict(error.as_json())


@law.command()
@click.argument("rulebook")
@as_json_option
def settings(rulebook: str, as_json: bool) -> None:
    """Show the open readings of a law: question, articles, default and the other readings."""
    found = _get(rulebook)
    if as_json:
        rows = [setting.model_dump(mode="json", by_alias=True) for setting in found.settings]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for setting in found.settings:
        places = f" ({'; '.join(setting.citations)})" if setting.citations else ""
        click.echo(f"{setting.key}{places}: {setting.question}")
        for reading in setting.readings:
            mark = "*" if reading is setting.readings[0] else " "
            click.echo(f"  {mark} {json.dumps(reading.value, ensure_ascii=False)}: {reading.text}")
        if setting.open is not None:
            click.echo(f"    # outro valor: {setting.open}")


@law.command()
def schema() -> None:
    """Print the JSON Schema of a rulebook file, for editors that complete and check while one types."""
    from complaints.law.schema import Rulebook

    click.echo(json.dumps(Rulebook.model_json_schema(by_alias=True), ensure_ascii=False, indent=2, sort_keys=True))


@law.command()
@click.argument("rulebook")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--authority", "slug", required=True, help="The authority that prints this text on its acts.")
@click.option("--article", help="Show one article as it will be printed, such as `art. 42`.")
def text(rulebook: str, file: Path | None, slug: str, article: str | None) -> None:
    """Load the official text of a law from FILE (UTF-8) for an authority, or tell what is loaded."""
    from complaints.law.official_text import BadLawText, read_law_text
    from web.cli import opened_services
    from web.cli.authority import get_authority
    from web.law_texts import find_law_text, store_law_text

    with opened_services() as services:
        _get(rulebook)
        with services.database.read() as session:
            owner = get_authority(session, slug)
        if file is not None:
            try:
                content = file.read_bytes()
                found = read_law_text(content)
            except BadLawText as problem:
                raise BadInput(f"{file}: {problem}") from None
            store_law_text(services, owner, rulebook, content, file.name)
            click.echo(f"Loaded {len(found.articles)} articles of {rulebook} for {slug}.")
            if gaps := found.list_gaps():
                click.echo(
                    f"Not found in the file: {', '.join(gaps)}. Look at how their headings are written.", err=True
                )
        loaded = find_law_text(services, owner, rulebook)
    if loaded is None:
        raise BadInput(f"{slug} has no text of {rulebook}; load it with `selo law text {rulebook} FILE`")
    if article is not None:
        printed = loaded.find(article)
        if printed is None:
            raise BadInput(f"the text has no {article}")
        click.echo(printed)
    elif file is None:
        click.echo(f"{len(loaded.articles)} articles: {', '.join(loaded.articles)}")


@law.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@as_json_option
def check(file: Path, as_json: bool) -> None:
    """Check the rulebook FILE (TOML) and tell every fault with its place; exit 2 when there is one."""
    from complaints.law.rulebook import BadRulebook, read_rulebook

    try:
        found = read_rulebook(file)
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror}") from None
    except BadRulebook as error:
        _tell_faults(file, [(fault.place, fault.message) for fault in error.faults], as_json)
        count = len(error.faults)
        raise BadInput(f"{file}: {count} {'fault' if count == 1 else 'faults'}") from None
    if as_json:
        click.echo(json.dumps({"file": str(file), **_summary(found), "faults": []}, ensure_ascii=False, indent=2))
        return
    click.echo(f"{file}: {found.law.name} is whole, with {len(found.subjects)} complaint subjects.")


def _get(law_id: str) -> "Rulebook":
    from complaints.law.rulebook import UnknownRulebook, get_rulebook

    try:
        return get_rulebook(law_id)
    except UnknownRulebook as error:
        raise BadInput(f"there is no rulebook {error.law_id!r}; `selo law list` shows those that exist") from None


def _tell_faults(file: Path, faults: list[tuple[str, str]], as_json: bool) -> None:
    if as_json:
        rows = [{"place": place, "message": message} for place, message in faults]
        click.echo(json.dumps({"file": str(file), "faults": rows}, ensure_ascii=False, indent=2))
        return
    for place, message in faults:
        click.echo(f"{place}: {message}")


_UNITS = {
    "business": "dias úteis",
    "calendar": "dias",
    "hours": "horas",
    "months": "meses",
    "years": "anos",
}


def _describe_step(step: "Step") -> str:
    term = f" {step.count} {_UNITS[step.unit]}" if step.count is not None else ""
    return f"{step.text}{term} ({step.citations[0]})"


def _summary(rulebook: "Rulebook") -> dict[str, Any]:
    law = rulebook.law
    return {
        "id": law.id,
        "name": law.name,
        "place": f"{law.municipality} ({law.uf})" if law.municipality else "Brasil",
        "signed_on": law.signed_on.isoformat(),
        "services": [service.id for service in rulebook.services],
        "subjects": len(rulebook.subjects),
        "infractions": len(rulebook.infractions),
        "duties": len(rulebook.duties),
        "fare_rules": len(rulebook.fare_rules),
    }


def _describe(rulebook: "Rulebook") -> list[str]:
    sections = (
        ("Serviços", [service.label for service in rulebook.services]),
        (
            "Quem viaja de graça ou paga metade",
            [f"{rule.label}: {rule.percent_off}% ({'; '.join(rule.citations)})" for rule in rulebook.fare_rules],
        ),
        ("Vistoria", [rulebook.inspection.text] if rulebook.inspection else []),
        ("Prazos", [_describe_step(step) for step in rulebook.steps]),
        (
            "Assuntos de reclamação",
            [
                f"{subject.key}: {subject.label}{' [urgente]' if subject.urgent else ''}"
                for subject in rulebook.subjects
            ],
        ),
        ("O que a lei não diz", list(rulebook.silences)),
    )
    lines = [rulebook.law.name, rulebook.law.summary]
    for title, entries in sections:
        if entries:
            lines += ["", title, *(f"  {entry}" for entry in entries)]
    return lines
