"""A stateful stand-in for Twilio's Messages resource, on a real socket: the only fake in these tests.

It answers like the real service where our code depends on it: form fields in, JSON out, HTTP Basic, errors with
their codes, a list by recipient, callbacks signed with the account's token. Faults are asked for beforehand:
`faults` holds what happens to the next sends, one each.
"""

import base64
import hashlib
import hmac
import json
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from random import Random
from urllib.error import HTTPError
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.request import Request as Call
from urllib.request import urlopen

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

ACCOUNT = "AC" + "0" * 32
TOKEN = "token-of-the-account"
DELIVERY = ("queued", "sent", "delivered")


@dataclass
class Taken:
    """A message the gateway has taken."""

    sid: str
    to: str
    sender: str
    body: str
    callback: str
    at: datetime
    status: str = "queued"
    error_code: int | None = None

    def as_json(self) -> dict[str, object]:
        """As the real service shows it; the address of the callbacks is not part of that."""
        return {
            "sid": self.sid,
            "account_sid": ACCOUNT,
            "to": self.to,
            "from": self.sender,
            "body": self.body,
            "status": self.status,
            "error_code": self.error_code,
            "error_message": None,
            "direction": "outbound-api",
            "num_segments": "1",
            "num_media": "0",
            "date_created": format_datetime(self.at),
            "date_updated": format_datetime(self.at),
            "date_sent": None,
            "uri": f"/2010-04-01/Accounts/{ACCOUNT}/Messages/{self.sid}.json",
        }


@dataclass
class FakeTwilio:
    """The service: what it took, in order, and what it shall do next."""

    base_url: str = ""
    token: str = TOKEN
    taken: list[Taken] = field(default_factory=list)
    attempts: int = 0
    in_hand: int = 0
    """How many sends are being answered now."""
    faults: list[str] = field(default_factory=list)
    """For the next sends: `hold` (takes it, then answers only after `let_go`), `hold-before` (waits for `let_go`,
    then takes it only if the caller is still there), `lose` (takes it, then closes without an answer), an HTTP
    status such as `500` or `429`, `500-after` (takes it, then fails), or an error code such as `21610`."""
    list_faults: list[str] = field(default_factory=list)
    lag: bool = False
    """While set, the list shows nothing."""

    clock: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))

    def __post_init__(self) -> None:
        self._released = threading.Event()
        self._holding = threading.Event()
        self._lock = threading.Lock()

    # --- what tests do ---

    def wait_until_holding(self, seconds: float = 20) -> None:
        """Block until a call is held in the gap."""
        assert self._holding.wait(seconds), "no call came to be held"

    @property
    def is_holding(self) -> bool:
        """Whether a call is held now."""
        return self._holding.is_set()

    def let_go(self) -> None:
        """Let held calls go on, and hold no more."""
        self._released.set()

    def hold_again(self) -> None:
        """Be ready to hold the next call."""
        self._released.clear()
        self._holding.clear()

    def forget(self, clock: Callable[[], datetime]) -> None:
        """Start again with nothing taken and no faults, by another clock."""
        self.let_go()
        self.taken, self.faults, self.list_faults, self.lag, self.attempts = [], [], [], False, 0
        self.clock = clock
        self.hold_again()

    def bodies(self) -> list[str]:
        """The texts taken, in order."""
        return [message.body for message in self.taken]

    def report(self, message: Taken, status: str, error_code: int | None = None) -> int:
        """Call the status callback of a message, signed; returns the HTTP status of the answer."""
        message.status, message.error_code = status, error_code
        fields = [
            ("MessageSid", message.sid), ("SmsSid", message.sid), ("AccountSid", ACCOUNT),
            ("MessageStatus", status), ("SmsStatus", status), ("To", message.to), ("From", message.sender),
            ("ApiVersion", "2010-04-01"),
        ]  # fmt: skip
        if error_code:
            fields.append(("ErrorCode", str(error_code)))
        return post_signed(message.callback, fields, self.token)

    def report_in_disorder(self, message: Taken, random: Random, statuses: Iterable[str] = DELIVERY) -> list[str]:
        """Report all statuses in a random order, some twice; returns the order used."""
        order = [*statuses, *(status for status in statuses if random.random() < 0.5)]
        random.shuffle(order)
        for status in order:
            assert self.report(message, status) == 200
        return order

    # --- what the service does ---

    async def create(self, request: Request) -> Response:
        """POST Messages.json."""
        self.in_hand += 1
        try:
            return await self._create(request)
        finally:
            self.in_hand -= 1

    async def _create(self, request: Request) -> Response:
        if refusal := _refuse(request, self.token):
            return refusal
        fields = dict(parse_qsl((await request.body()).decode(), keep_blank_values=True))
        with self._lock:
            self.attempts += 1
            fault = self.faults.pop(0) if self.faults else ""
        if fault in ("429", "500", "503"):
            return _error(int(fault), 20429 if fault == "429" else 20500)
        if fault.isdigit():
            return _error(400, int(fault))
        if not fields.get("To") or not fields.get("From") or not fields.get("Body"):
            return _error(400, 21604 if not fields.get("To") else 21603 if not fields.get("From") else 21602)
        if fault == "hold-before":
            await self._hold()
            if await request.is_disconnected():
                return Response(status_code=499)
        message = self._take(fields)
        if fault == "hold":
            await self._hold()
        if fault == "lose":
            return _Broken()
        if fault == "500-after":
            return _error(500, 20500)
        return JSONResponse(message.as_json(), status_code=201)

    async def list(self, request: Request) -> Response:
        """GET Messages.json, the newest first, by recipient."""
        if refusal := _refuse(request, self.token):
            return refusal
        if self.list_faults:
            return _error(int(self.list_faults.pop(0)), 20500)
        to = request.query_params.get("To")
        size = int(request.query_params.get("PageSize", "50"))
        page = int(request.query_params.get("Page", "0"))
        found = [item for item in reversed(self.taken) if not to or item.to == to]
        found = [] if self.lag else found
        following = None
        if len(found) > size * (page + 1):
            query = urlencode({**request.query_params, "Page": page + 1})
            following = f"/2010-04-01/Accounts/{ACCOUNT}/Messages.json?{query}"
        shown = found[size * page : size * (page + 1)]
        return JSONResponse(
            {"messages": [item.as_json() for item in shown], "next_page_uri": following, "page": page}
        )

    def _take(self, fields: dict[str, str]) -> Taken:
        with self._lock:
            sid = f"SM{len(self.taken) + 1:032x}"
            message = Taken(
                sid,
                fields["To"],
                fields["From"],
                fields["Body"],
                fields.get("StatusCallback", ""),
                self.clock(),
            )
            self.taken.append(message)
        return message

    async def _hold(self) -> None:
        self._holding.set()
        await anyio.to_thread.run_sync(self._released.wait, abandon_on_cancel=True)


class _Broken(Response):
    """An answer that breaks off: the connection closes before what was promised has come."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 201, "headers": [(b"content-length", b"500")]})
        await send({"type": "http.response.body", "body": b"{"})


def sign(url: str, fields: Sequence[tuple[str, str]], token: str = TOKEN, algorithm: str = "sha1") -> str:
    """The signature of a webhook: HMAC over the address and the sorted fields, each name with its values once."""
    names = sorted({name for name, _ in fields})
    values = {name: sorted({value for key, value in fields if key == name}) for name in names}
    signed = url + "".join(name + value for name in names for value in values[name])
    return base64.b64encode(
        hmac.new(token.encode(), signed.encode(), getattr(hashlib, algorithm)).digest()
    ).decode()


def post_signed(url: str, fields: Sequence[tuple[str, str]], token: str = TOKEN) -> int:
    """Post a form as the real service does; returns the HTTP status."""
    assert urlsplit(url).hostname in ("127.0.0.1", "localhost"), url
    call = Call(
        url,
        data=urlencode(fields).encode(),
        headers={
            "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8",
            "X-Twilio-Signature": sign(url, fields, token),
            "I-Twilio-Idempotency-Token": hashlib.sha256(repr(fields).encode()).hexdigest(),
        },
    )
    try:
        with urlopen(call, timeout=15) as answer:
            status: int = answer.status
            return status
    except HTTPError as refusal:
        with refusal:
            return refusal.code


def inbound_fields(sid: str, sender: str, to: str, body: str, **more: str) -> list[tuple[str, str]]:
    """The form of an incoming text, blank fields included as the real service sends them."""
    fields = [
        ("ToCountry", "BR"), ("ToState", ""), ("SmsMessageSid", sid), ("NumMedia", "0"), ("ToCity", ""),
        ("FromZip", ""), ("SmsSid", sid), ("FromState", ""), ("SmsStatus", "received"), ("FromCity", ""),
        ("Body", body), ("FromCountry", "BR"), ("To", to), ("ToZip", ""), ("NumSegments", "1"),
        ("MessageSid", sid), ("AccountSid", ACCOUNT), ("From", sender), ("ApiVersion", "2010-04-01"),
    ]  # fmt: skip
    return [(name, more.pop(name, value)) for name, value in fields] + list(more.items())


@contextmanager
def running_fake() -> Iterator[FakeTwilio]:
    """A fake on a free loopback port, served from a thread."""
    fake = FakeTwilio()
    path = f"/2010-04-01/Accounts/{ACCOUNT}/Messages.json"
    app = Starlette(
        routes=[Route(path, fake.create, methods=["POST"]), Route(path, fake.list, methods=["GET"])],
    )
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        fake.base_url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            assert thread.is_alive(), "the fake did not start"
            time.sleep(0.005)
        try:
            yield fake
        finally:
            fake.let_go()
            server.should_exit = True
            thread.join(10)


def _refuse(request: Request, token: str) -> Response | None:
    expected = "Basic " + base64.b64encode(f"{ACCOUNT}:{token}".encode()).decode()
    if hmac.compare_digest(request.headers.get("authorization", ""), expected):
        return None
    return _error(401, 20003)


def _error(status: int, code: int) -> Response:
    body = {"code": code, "message": f"error {code}", "more_info": f"https://example.org/{code}", "status": status}
    return Response(json.dumps(body), status_code=status, media_type="application/json")
