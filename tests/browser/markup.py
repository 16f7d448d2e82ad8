"""What a page of ours says to a program that reads its HTML: headings, fields, data, links."""

from collections.abc import Iterator
from html.parser import HTMLParser

Attributes = dict[str, str]


class Markup(HTMLParser):
    """A page taken apart once."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.tags: list[tuple[str, Attributes]] = []
        self._words: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag as it opens."""
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        """Note words."""
        self._words.append(data)

    def all(self, tag: str) -> Iterator[Attributes]:
        """The attributes of each tag of this name."""
        return (attributes for name, attributes in self.tags if name == tag)

    def count(self, tag: str) -> int:
        """How many there are."""
        return sum(1 for _ in self.all(tag))

    def text(self) -> str:
        """All words, blanks made single."""
        return " ".join(" ".join(self._words).split())

    def data(self, name: str) -> str:
        """The value of `<data id=…>` or `<time id=…>`; raises KeyError when the page has none."""
        for _, attributes in self.tags:
            if attributes.get("id") == name:
                return attributes.get("value") or attributes["datetime"]
        raise KeyError(name)

    def hidden(self) -> dict[str, str]:
        """The hidden fields of its forms, to be sent back as they are."""
        return {
            field["name"]: field.get("value", "")
            for field in self.all("input")
            if field.get("type") == "hidden" and "name" in field
        }

    def links(self) -> list[str]:
        """Where its links lead, as written."""
        return [link["href"] for link in self.all("a") if "href" in link]
