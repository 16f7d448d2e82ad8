"""SMS and WhatsApp through Twilio's Messages resource."""

import logging
from collections.abc import Sequence
from datetime import timedelta

import requests
from twilio.base.exceptions import TwilioException, TwilioRestException, TwilioServiceException
from twilio.http.http_client import TwilioHttpClient
from twilio.rest import Client
from urllib3.exceptions import ConnectTimeoutError, NewConnectionError

from complaints.messages.gateways import CannotTell, NoAnswer, Refused, Trace
from complaints.messages.outbox import Message

TIMEOUT_SECONDS = 8
"""For the connection, and again for the answer; together less than a lease."""

CALLBACK_PATH = "/webhooks/twilio/situacao"
_CLOCKS_APART = timedelta(days=1)
"""Wide, because a message missed for its date is sent twice; an older equal one is known to belong elsewhere."""

_MOST_LISTED = 500

logging.getLogger("twilio.http_client").setLevel(logging.WARNING)  # it logs bodies at INFO


class TwilioGateway:
    """One account; `public_url` is where its callbacks come, `base_url` another address of the service."""

    def __init__(
        self,
        account_sid: str,
        auth_token: str,
        public_url: str,
        base_url: str | None = None,
        timeout: float = TIMEOUT_SECONDS,
    ) -> None:
        self._client = Client(account_sid, auth_token, http_client=TwilioHttpClient(timeout=timeout))
        if base_url:
            self._client.api.base_url = base_url
        self._public_url = public_url

    def send(self, message: Message) -> Trace:
        """Create the message, with our own id in the address of its callbacks; raises Refused or NoAnswer."""
        if not message.sender:
            raise Refused("no-sender")
        try:
            made = self._client.messages.create(
                to=message.recipient,
                from_=message.sender,
                body=message.text,
                status_callback=callback_url(self._public_url, message),
            )
        except (TwilioRestException, TwilioServiceException) as error:
            raise _outcome(int(error.status), str(error.code or error.status)) from None
        except requests.ConnectionError as error:
            raise Refused("unreachable") if _never_connected(error) else NoAnswer("connection lost") from None
        except (requests.RequestException, TwilioException, ValueError) as error:
            raise NoAnswer(f"no readable answer: {type(error).__name__}") from None
        if not made.sid:
            raise NoAnswer("an answer without an id")
        return Trace(made.sid, str(made.status or "queued"), str(made.error_code or ""))

    def find(self, message: Message) -> Sequence[Trace]:
        """Look for the message among those to its recipient; raises CannotTell."""
        since = (message.started_at or message.created_at) - _CLOCKS_APART
        try:
            listed = self._client.messages.list(to=message.recipient, limit=_MOST_LISTED)
        except (requests.RequestException, TwilioException, ValueError, KeyError, TypeError) as error:
            raise CannotTell(f"the list cannot be read: {type(error).__name__}") from None
        if len(listed) == _MOST_LISTED:
            raise CannotTell("the list is too long to be read to its end")
        return [
            Trace(item.sid, str(item.status), str(item.error_code or ""))
            for item in listed
            if item.to == message.recipient
            and (item.body or "").strip().endswith(message.text.strip())
            and (item.date_created is None or item.date_created >= since)
        ]


def callback_url(public_url: str, message: Message) -> str:
    """Where the gateway reports on a message: `?id=` holds the authority's number and the row's id."""
    return f"{public_url}{CALLBACK_PATH}?id={message.authority_id}-{message.id.hex}"


def _outcome(status: int, code: str) -> Exception:
    """A fault of the server says nothing about the message; anything else is a refusal."""
    return NoAnswer(f"server fault {status}") if status >= 500 else Refused(code)


def _never_connected(error: requests.ConnectionError) -> bool:
    cause = getattr(error.args[0] if error.args else None, "reason", None)
    return isinstance(error, requests.ConnectTimeout) or isinstance(
        cause, NewConnectionError | ConnectTimeoutError
    )
