"""What the first visitor of a process would otherwise wait for: templates, laws and tables made ready."""

import logging

from sqlalchemy.orm import configure_mappers

from complaints.law.rulebook import BadRulebook, get_rulebook, list_rulebooks
from web.templating import load_environment

_OF_THE_DESK = "staff/"
log = logging.getLogger("selo.serving")


def warm_up() -> None:
    """Compile the public templates, read the laws, connect the tables with their classes; about half a second."""
    configure_mappers()
    environment = load_environment()
    for name in environment.list_templates(filter_func=lambda name: not name.startswith(_OF_THE_DESK)):
        environment.get_template(name)
    for law_id in list_rulebooks():
        try:
            get_rulebook(law_id)
        except BadRulebook as error:
            log.error("law cannot be used", extra={"law": law_id, "faults": list(map(str, error.faults))})
