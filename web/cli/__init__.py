"""The command line: verbs are loaded when they are used, and every error is one line."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from web.services import Services
    from web.settings import Settings

VERBS: dict[str, tuple[str, str]] = {
    "serve": ("web.cli.serve:serve", "Answer HTTP requests."),
    "worker": ("web.cli.worker:worker", "Send messages and do what is due."),
    "db": ("web.cli.db:db", "Create, upgrade and check the database."),
    "demo": ("web.cli.demo:demo", "Fill the database with the demonstration."),
    "alert": ("web.cli.alert:alert", "List, make and end alerts to riders."),
    "feed": ("web.cli.feed:feed", "Check, import and publish GTFS feeds."),
    "law": ("web.cli.law:law", "Look up laws, rights, offences and deadlines."),
    "seal": ("web.cli.seal:seal", "Issue, check and revoke seals."),
    "case": ("web.cli.case:case", "List, show and verify cases."),
    "staff": ("web.cli.staff:staff", "Give people access to the desk."),
    "authority": ("web.cli.authority:authority", "Add, show and list authorities."),
    "sms": ("web.cli.sms:sms", "Talk to an authority as a phone would."),
    "backup": ("web.cli.backup:backup", "Write everything to one encrypted file."),
    "restore": ("web.cli.backup:restore", "Fill an empty database from a backup."),
}
"""Each verb: where its click command is, and what `selo --help` says of it."""


class BadInput(click.ClickException):
    """What was asked cannot be done as asked: one clear line on standard error, exit code 2."""

    exit_code = 2


class _Verbs(click.Group):
    """Loads a verb's module only when that verb is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        module, _, attribute = VERBS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in VERBS.items()])

    def main(self, *args: Any, **extra: Any) -> Any:
        extra["standalone_mode"] = False
        try:
            code = super().main(*args, **extra)
        except Exception as error:
            if os.environ.get("SELO_DEBUG") == "1" and not isinstance(error, click.ClickException):
                raise
            from web.cli.failures import report

            code = report(error)
        sys.exit(code if isinstance(code, int) else 0)


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="selo", prog_name="selo")
def main() -> None:
    """Selo: passenger information and complaints for municipal transport authorities."""


def current_settings() -> "Settings":
    """The settings of the environment; wrong ones end the command with exit code 2."""
    from web.settings import read_settings

    return read_settings(os.environ)


@contextmanager
def opened_services() -> Iterator["Services"]:
    """The services of the environment on an upgraded database, closed afterwards."""
    from web.migrations import is_current
    from web.services import open_services

    services = open_services(current_settings())
    try:
        if not is_current(services.database):
            raise BadInput("the database is not up to date: run `selo db upgrade` first")
        yield services
    finally:
        services.close()
