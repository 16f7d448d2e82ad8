"""A file of any length, encrypted in chunks that can be neither altered, reordered, dropped nor cut short.

Layout: the magic words; the length (2 bytes, big endian) and bytes of a random file key, sealed by the
keyring; then chunks of AES-256-GCM, each of CHUNK bytes before encryption but the last. The nonce of a chunk
is its number and a flag that only the last one has (the STREAM construction of Hoang, Reyhanitabar, Rogaway
and Vizár, 2015). The head of the file is authenticated with every chunk.
"""

import secrets
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from complaints.sealing import CannotOpen, Keyring

MAGIC = b"SELO BACKUP 1\n"
CHUNK = 256 * 1024
_TAG = 16
_CONTEXT = "backup file key"


class BadBackup(Exception):
    """The file is no backup, was made with other keys, or is not whole; the message says which."""


class SealingWriter:
    """Encrypts what is written to it; only `finish()` makes the file whole."""

    def __init__(self, file: BinaryIO, keyring: Keyring) -> None:
        key = secrets.token_bytes(32)
        sealed = keyring.seal(key, _CONTEXT)
        self._head = MAGIC + len(sealed).to_bytes(2, "big") + sealed
        self._cipher = AESGCM(key)
        self._file = file
        self._waiting = bytearray()
        self._number = 0
        file.write(self._head)

    def write(self, content: bytes) -> int:
        """Take plain bytes; a chunk is only written once more is known to follow."""
        self._waiting += content
        while len(self._waiting) > CHUNK:
            self._put(bytes(self._waiting[:CHUNK]), last=False)
            del self._waiting[:CHUNK]
        return len(content)

    def finish(self) -> None:
        """Write the last chunk."""
        self._put(bytes(self._waiting), last=True)

    def _put(self, plain: bytes, *, last: bool) -> None:
        self._file.write(self._cipher.encrypt(_nonce(self._number, last), plain, self._head))
        self._number += 1


class OpeningReader:
    """Gives back what was written, chunk by chunk, each proved before a byte of it is given. Raises BadBackup."""

    def __init__(self, file: BinaryIO, keyring: Keyring) -> None:
        self._file = file
        self._head = file.read(len(MAGIC) + 2)
        if not self._head.startswith(MAGIC):
            raise BadBackup("it is not a backup of Selo")
        sealed = file.read(int.from_bytes(self._head[len(MAGIC) :], "big"))
        self._head += sealed
        try:
            self._cipher = AESGCM(keyring.open(sealed, _CONTEXT))
        except (CannotOpen, ValueError):  # ValueError: the damage is in the length
            raise BadBackup("it is damaged, or none of the SELO_DATA_KEYS opens it") from None
        self._next = file.read(CHUNK + _TAG)
        self._number = 0
        self._ready = bytearray()
        self._ended = False

    def read(self, size: int) -> bytes:
        """At most `size` plain bytes; none at the proved end."""
        while len(self._ready) < size and not self._ended:
            self._take()
        given = bytes(self._ready[:size])
        del self._ready[:size]
        return given

    def _take(self) -> None:
        chunk, self._next = self._next, self._file.read(CHUNK + _TAG)
        self._ended = not self._next
        try:
            self._ready += self._cipher.decrypt(_nonce(self._number, self._ended), chunk, self._head)
        except InvalidTag:
            raise BadBackup("it is damaged or cut short") from None
        self._number += 1


def _nonce(number: int, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])
