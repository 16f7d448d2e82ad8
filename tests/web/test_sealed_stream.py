"""The encrypted file of a backup: whole or refused."""

import io
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaints.sealing import Keyring
from web import sealed_stream
from web.sealed_stream import MAGIC, BadBackup, OpeningReader, SealingWriter

KEYRING = Keyring([b"a" * 32], b"secret")
CHUNK, TAG = 64, 16


@pytest.fixture(autouse=True, scope="module")
def _small_chunks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sealed_stream, "CHUNK", CHUNK)
        yield


def seal(plain: bytes, step: int = 50, keyring: Keyring = KEYRING) -> bytes:
    """The file that holds `plain`, written in pieces of `step` bytes."""
    file = io.BytesIO()
    writer = SealingWriter(file, keyring)
    for start in range(0, len(plain), step):
        writer.write(plain[start : start + step])
    writer.finish()
    return file.getvalue()


def open_all(sealed: bytes, step: int = 37, keyring: Keyring = KEYRING) -> bytes:
    """Everything the file gives back, read in pieces of `step` bytes."""
    reader = OpeningReader(io.BytesIO(sealed), keyring)
    return b"".join(iter(lambda: reader.read(step), b""))


def head_length(sealed: bytes) -> int:
    """Where the chunks begin."""
    return len(MAGIC) + 2 + int.from_bytes(sealed[len(MAGIC) : len(MAGIC) + 2], "big")


@pytest.mark.parametrize("length", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 1, 1000])
@pytest.mark.parametrize("step", [1, 50, 5000])
def test_what_was_written_comes_back(length: int, step: int) -> None:
    plain = bytes(i % 251 for i in range(length))
    assert open_all(seal(plain, step), step) == plain


def test_the_same_content_never_looks_the_same_twice_nor_like_itself() -> None:
    plain = b"personal" * 40
    assert seal(plain) != seal(plain)
    assert b"personal" not in seal(plain)


@given(st.data())
def test_a_file_cut_short_anywhere_is_refused(data: st.DataObject) -> None:
    sealed = seal(bytes(3 * CHUNK + 10))
    cut = data.draw(st.integers(0, len(sealed) - 1))
    with pytest.raises(BadBackup):
        open_all(sealed[:cut])


@given(st.data())
def test_one_changed_bit_anywhere_is_refused(data: st.DataObject) -> None:
    sealed = bytearray(seal(bytes(3 * CHUNK + 10)))
    sealed[data.draw(st.integers(0, len(sealed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(BadBackup):
        open_all(bytes(sealed))


def test_chunks_swapped_dropped_repeated_or_added_are_refused() -> None:
    sealed = seal(bytes(range(4 * CHUNK)))
    start, size = head_length(sealed), CHUNK + TAG
    head, chunks = sealed[:start], [sealed[at : at + size] for at in range(start, len(sealed), size)]
    assert len(chunks) == 4
    wrong = [
        [chunks[1], chunks[0], chunks[2], chunks[3]],
        [chunks[0], chunks[2], chunks[3]],
        [chunks[0], chunks[0], *chunks[1:]],
        chunks[:3],
        [*chunks, b"more"],
        [],
    ]
    for order in wrong:
        with pytest.raises(BadBackup):
            open_all(head + b"".join(order))


def test_a_chunk_of_another_file_is_refused() -> None:
    one, other = seal(bytes(10)), seal(bytes(10))
    with pytest.raises(BadBackup):
        open_all(one[: head_length(one)] + other[head_length(other) :])


def test_a_file_of_another_kind_is_named_so() -> None:
    for content in (b"", b"PK\x03\x04", b"SELO"):
        with pytest.raises(BadBackup, match="not a backup of Selo"):
            open_all(content)


def test_other_keys_are_named_so_and_an_older_key_still_opens() -> None:
    sealed = seal(b"x")
    with pytest.raises(BadBackup, match="none of the SELO_DATA_KEYS opens it"):
        open_all(sealed, keyring=Keyring([b"b" * 32], b"secret"))
    assert open_all(sealed, keyring=Keyring([b"b" * 32, b"a" * 32], b"secret")) == b"x"
