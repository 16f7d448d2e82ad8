"""What is wrong with something typed or pasted: where it stands and what to do about it."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `row` counts lines from 1; `column` is a number of letters or the name of a table's column.

    `field` names the box of a form it came from, blank where there is only one.
    """

    row: int
    column: str
    message: str
    field: str = ""

    @property
    def words(self) -> str:
        """Where and what: `Linha 3, coluna latitude: …`."""
        return f"Linha {self.row}, coluna {self.column}: {self.message}"

    def within(self, row: int, column: str) -> "Fault":
        """The same fault, told by the cell of a table that holds the text."""
        inner = f"linha {self.row} da célula, " if self.row > 1 else ""
        return replace(self, row=row, column=column, message=f"{inner}{self.message}")
