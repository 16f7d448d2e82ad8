"""Encryption of personal data at rest, and keyed hashes to look it up without opening it."""

import hashlib
import hmac
import os
from collections.abc import Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_VERSION = b"\x01"
_KEY_ID_BYTES = 4
_NONCE_BYTES = 12
_TAG_BYTES = 16


class CannotOpen(Exception):
    """A sealed value was altered, belongs to another context, or its key is not among the data keys."""


class Keyring:
    """The data keys (newest first) and the server secret.

    A sealed value is: version byte, 4 bytes naming the key, 12 bytes nonce, AES-256-GCM ciphertext.
    """

    def __init__(self, data_keys: Sequence[bytes], secret_key: bytes) -> None:
        """`data_keys`: at least one key of 32 bytes, newest first; older ones only open."""
        if not data_keys or any(len(key) != 32 for key in data_keys):
            raise ValueError("data keys are 32 bytes each, and at least one is needed")
        self._keys = {_key_id(key): AESGCM(key) for key in data_keys}
        self._newest = _key_id(data_keys[0])
        self._secret = secret_key
        self._derived: dict[str, bytes] = {}

    def seal(self, plain: bytes, context: str) -> bytes:
        """Encrypt under the newest key; `context` names the row and must be given again to open."""
        nonce = os.urandom(_NONCE_BYTES)
        head = _VERSION + self._newest + nonce
        return head + self._keys[self._newest].encrypt(nonce, plain, context.encode())

    def open(self, sealed: bytes, context: str) -> bytes:
        """Decrypt; raises CannotOpen."""
        key_id = sealed[1 : 1 + _KEY_ID_BYTES]
        start = 1 + _KEY_ID_BYTES
        cipher = self._keys.get(key_id)
        if sealed[:1] != _VERSION or cipher is None or len(sealed) < start + _NONCE_BYTES + _TAG_BYTES:
            raise CannotOpen("no data key fits this value")
        try:
            return cipher.decrypt(
                sealed[start : start + _NONCE_BYTES], sealed[start + _NONCE_BYTES :], context.encode()
            )
        except InvalidTag:
            raise CannotOpen("the value was altered or belongs elsewhere") from None

    def derive(self, purpose: str) -> bytes:
        """A 32-byte key for one purpose, from the server secret (HKDF-SHA-256, RFC 5869)."""
        if purpose not in self._derived:
            kdf = HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=purpose.encode())
            self._derived[purpose] = kdf.derive(self._secret)
        return self._derived[purpose]

    def lookup(self, value: str, purpose: str) -> bytes:
        """A 32-byte keyed hash of `value`: equal values of one purpose give equal hashes."""
        return hmac.new(self.derive(f"lookup:{purpose}"), value.encode(), hashlib.sha256).digest()


def _key_id(key: bytes) -> bytes:
    return hashlib.sha256(b"selo data key" + key).digest()[:_KEY_ID_BYTES]
