"""The label of a seal with the words of its town: what the law calls it, telephones as people write them."""

from complaints.authorities.tables import Authority
from complaints.law.rulebook import get_rulebook
from complaints.registry.labels import Label, draw_label
from complaints.registry.tables import Seal, Vehicle
from web.formats import phone_in_words

NAME_OF_OUR_OWN = "Selo do veículo"
"""What the label is called where the town's law knows no seal."""


def seal_label(public_url: str, authority: Authority, vehicle: Vehicle, seal: Seal) -> str:
    """Draw the SVG label of a seal; `public_url` is the address of this deployment."""
    return draw_label(
        Label(
            title=name_of_seal(authority.law_id),
            authority_name=authority.name,
            code=seal.code,
            plate=vehicle.plate,
            valid_until=seal.valid_until,
            public_url=public_url,
            phone=phone_in_words(authority.phone),
            sms_number=phone_in_words(authority.sms_number) if authority.sms_number else None,
            demo=authority.demo,
        )
    )


def name_of_seal(law_id: str) -> str:
    """The name that the town's law gives its seal, with a capital, or ours."""
    names = [row.name for row in get_rulebook(law_id).credentials if row.kind == "seal"]
    return f"{names[0][0].upper()}{names[0][1:]}" if names else NAME_OF_OUR_OWN
