"""What a fine costs and what makes it heavier or lighter."""

from complaints.law.provisions import Citations, Row, Text


class FineClass(Row):
    """A class of infractions: `amount` in fiscal units as an exact number, `points` where the law gives any."""

    id: Text
    label: Text
    amount: Text
    unit: Text
    points: int | None = None
    citations: Citations
