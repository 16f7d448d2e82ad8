"""A town with a case, for the tests of cases."""

from collections.abc import Callable
from datetime import datetime

import pytest

from complaints.authorities.tables import Authority
from complaints.cases.filing import Filed, Filing, file_case
from web.services import Services

FileCase = Callable[..., Filed]


@pytest.fixture
def marica(services: Services, towns: dict[str, Authority]) -> Authority:
    """Maricá, on each database."""
    return towns["marica"]


@pytest.fixture
def file(services: Services, marica: Authority, now: datetime) -> FileCase:
    """Files a case in Maricá in a transaction of its own; every field may be given."""

    def file(key: str = "web:one", at: datetime = now, **fields: object) -> Filed:
        given = {"text": "A van passou direto no ponto.", **fields}
        filing = Filing(marica.id, "web", key, **given)  # type: ignore[arg-type]  # fields vary by test
        with services.database.write() as session:
            return file_case(session, services.keyring, filing, at)

    return file
