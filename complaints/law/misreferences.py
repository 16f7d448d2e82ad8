"""Cross references that point to the wrong place, kept as printed beside the place they mean."""

from complaints.law.provisions import Citation, Row, Text


class Misreference(Row):
    """`at` is the place of the rule, `printed` the place it names, `resolved_to` the place it must mean."""

    at: Citation
    printed: Citation
    resolved_to: Citation
    note: Text | None = None
