"""Rows of a law as answers show them: the key and, where the class fixes it, the fine."""

from typing import Any

from complaints.law.asking.matter import Matter
from complaints.law.provisions import Infraction


def row_json(matter: Matter[Any], key: str) -> dict[str, Any]:
    """Return `ref`, and `amount` and `unit` when the law or the authority's annex gives the row a class."""
    row = matter.rulebook.get_provision(key)
    shown: dict[str, Any] = {"ref": key}
    class_id = row.class_id if isinstance(row, Infraction) else None
    if matter.rulebook.has_annex:
        class_id = matter.fixtures.classes.get(key)
    if class_id is not None:
        fine_class = matter.rulebook.get_fine_class(class_id)
        shown |= {"amount": fine_class.amount, "unit": fine_class.unit}
    return shown
