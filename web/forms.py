"""Forms as people sent them: cleaned text, files within limits, and what to tell the person to correct."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from anyio import from_thread
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request

MAX_FIELDS = 200
MAX_TEXT = 10_000


@dataclass(frozen=True)
class UploadedFile:
    """A file of a form, whole: the name and type are only what the browser claims."""

    filename: str
    media_type: str
    content: bytes


class Form:
    """One submitted form. Text comes out without NUL and other control characters, with `\\n` line ends."""

    def __init__(
        self, texts: Mapping[str, tuple[str, ...]], files: Mapping[str, tuple[UploadedFile, ...]]
    ) -> None:
        self._texts = texts
        self._files = files

    def text(self, name: str, max_length: int = MAX_TEXT) -> str:
        """The field without outer blanks, empty when not sent, cut at `max_length` characters."""
        return self.all(name, max_length)[0] if name in self._texts else ""

    def raw(self, name: str, max_length: int = MAX_TEXT) -> str:
        """The field with its outer blanks, where the place of a line or cell counts."""
        return self._texts[name][0][:max_length] if name in self._texts else ""

    def all(self, name: str, max_length: int = MAX_TEXT) -> tuple[str, ...]:
        """Every value of a field that may repeat, such as checkboxes."""
        return tuple(value.strip()[:max_length] for value in self._texts.get(name, ()))

    def is_longer(self, name: str, length: int) -> bool:
        """Tell whether the text is longer than `length`, so that the person can be told instead of cut."""
        return len(self.text(name, length + 1)) > length

    def files(self, name: str, *, empty: bool = False) -> tuple[UploadedFile, ...]:
        """Files chosen in a field; a field left empty gives none, nor does an empty file unless asked for."""
        return tuple(file for file in self._files.get(name, ()) if file.content or empty)

    @property
    def values(self) -> dict[str, str]:
        """First value of every field, to fill the form in again."""
        return {name: values[0] for name, values in self._texts.items()}


def read_form(request: Request, *, max_files: int = 0, max_part_bytes: int = 256 * 1024) -> Form:
    """Read an urlencoded or multipart form inside a sync handler; the body limit bounds its size.

    `max_part_bytes` bounds one text field. Raises HTTPException 400 on a broken form or too many parts, 413
    when over the body limit.
    """
    read = partial(request.form, max_files=max_files, max_fields=MAX_FIELDS, max_part_size=max_part_bytes)

    async def collect() -> Form:
        async with read() as data:
            return await _collect(data)

    return from_thread.run(collect)


def query_text(request: Request, name: str, max_length: int = 200) -> str:
    """A query parameter, cleaned like a form field; empty when not given."""
    return clean(request.query_params.get(name, "")).strip()[:max_length]


def whole_number(text: str) -> int:
    """The number that a field or parameter of an address holds; 0 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def page_number(request: Request) -> int:
    """The page of a list that `?pagina=` asks for, from 1."""
    return max(1, whole_number(query_text(request, "pagina", 10)))


def clean(text: str) -> str:
    """Drop control characters and lone surrogates, which no database takes, and unify line ends."""
    unified = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(character for character in unified if _may_keep(character))


class FormErrors(Mapping[str, str]):
    """What is wrong, by field, in the order found; the first word on a field stays. False when empty."""

    def __init__(self, found: Mapping[str, str] | None = None) -> None:
        self._messages = dict(found or {})

    def add(self, field: str, message: str) -> None:
        """Say what to do about a field: `errors.add("relato", "Escreva o que aconteceu")`."""
        self._messages.setdefault(field, message)

    def __getitem__(self, field: str) -> str:
        return self._messages[field]

    def __iter__(self) -> Iterator[str]:
        return iter(self._messages)

    def __len__(self) -> int:
        return len(self._messages)


async def _collect(data: FormData) -> Form:
    texts: dict[str, list[str]] = {}
    files: dict[str, list[UploadedFile]] = {}
    for name, value in data.multi_items():
        if isinstance(value, UploadFile):
            content = await value.read()
            if value.filename:
                file = UploadedFile(clean(value.filename)[:200], clean(value.content_type or "")[:100], content)
                files.setdefault(name, []).append(file)
        else:
            texts.setdefault(name, []).append(clean(value))
    return Form(
        {name: tuple(values) for name, values in texts.items()},
        {name: tuple(found) for name, found in files.items()},
    )


def _may_keep(character: str) -> bool:
    code = ord(character)
    if code < 0x20:
        return character in "\n\t"
    return code != 0x7F and not 0x80 <= code <= 0x9F and not 0xD800 <= code <= 0xDFFF
