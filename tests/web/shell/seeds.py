"""Authorities for the tests of the shell."""

from datetime import UTC, datetime

from complaints.authorities.tables import Authority


def make_town(slug: str, town: str, *, has_lines: bool = True, demo: bool = False) -> Authority:
    """An authority of a town."""
    return Authority(
        slug=slug,
        name=f"Secretaria de Transportes de {town}",
        short_name="ST",
        town=town,
        uf="RJ",
        law_id="marica-2627-2015",
        time_zone="America/Sao_Paulo",
        phone="+552137310000",
        sms_number=None if has_lines else "+5521999900001",
        email="ouvidoria@exemplo.test",
        has_lines=has_lines,
        demo=demo,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
