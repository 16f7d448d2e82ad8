"""Filing: one key, one case; nothing but a text or a subject is needed; receipt is never refused.

Lei federal 13.460/2017, articles 10 (no identification, no motive may be demanded), 11 and 12 (receipt, proof).
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from complaints.authorities.calendar import case_term, local_date
from complaints.authorities.tables import Authority
from complaints.cases import chain
from complaints.cases.evidence import PreparedEvidence, attach_evidence
from complaints.cases.follow import case_key
from complaints.cases.history import append_event, open_history, staff_actor
from complaints.cases.identity import Identity, normal_phone, store_identity
from complaints.cases.kept_terms import term_content
from complaints.cases.pausing import restart_clock
from complaints.cases.protocol import new_protocol
from complaints.cases.subjects import FrozenSubject, freeze_subjects, store_subjects, subjects_content
from complaints.cases.tables import CaseFile, Intake
from complaints.ids import new_id
from complaints.law.terms import Term
from complaints.messages.notices import notify_reporter
from complaints.registry.vehicles import Identified, identify
from complaints.sealing import Keyring


class NothingSaid(Exception):
    """Neither a text nor a subject: there is nothing to file yet."""


@dataclass(frozen=True)
class Filing:
    """What somebody told, whole, as typed. Only `text` or `subjects` must be there.

    `key` is the idempotency key of the form or message. `occurred` is the rider's own words for when. `phone` is
    any spelling; `address` the gateway's raw sender. `confidentiality`: named, confidential, anonymous, or empty
    for the subject's own default. `alerts` are the warnings riders of the line had been given, as plain values
    (number, label, header, description, starts_at, ends_at); `timetable` what the published feed promised there
    and then (web.rider.promise), None where that is not known. Neither is something that was said.
    """

    authority_id: int
    channel: str
    key: str
    kind: str = "complaint"
    subjects: tuple[str, ...] = ()
    text: str = ""
    occurred: str = ""
    place: str = ""
    seal: str = ""
    plate: str = ""
    fleet_number: str = ""
    line_id: str | None = None
    line_name: str | None = None
    name: str = ""
    phone: str = ""
    email: str = ""
    address: str = ""
    confidentiality: str = ""
    evidence: tuple[PreparedEvidence, ...] = ()
    filed_by: UUID | None = None
    alerts: tuple[Mapping[str, object], ...] = ()
    timetable: Mapping[str, object] | None = None


@dataclass(frozen=True)
class Filed:
    """A case on file. `replay`: the key had filed it before; `differs`: then with other words."""

    case: CaseFile
    key: str
    replay: bool
    differs: bool


def file_case(session: Session, keyring: Keyring, filing: Filing, now: datetime) -> Filed:
    """File a case, or find the one this key has filed already. Raises NothingSaid."""
    if not filing.text.strip() and not filing.subjects:
        raise NothingSaid
    claim = _find_intake(session, filing) or _claim_key(session, filing, now)
    if isinstance(claim, Intake):
        return _replay(session, keyring, filing, claim)
    authority = session.exec(select(Authority).where(Authority.id == filing.authority_id)).one()
    case = _write_case(session, keyring, authority, replace(filing, phone=normal_phone(filing.phone)), claim, now)
    return Filed(case, case_key(keyring, case), replay=False, differs=False)


def add_text(session: Session, case: CaseFile, text: str, channel: str, actor: str, now: datetime) -> None:
    """Add words to a case loaded for change; answers a request for a complement when there is one open."""
    kind = "complement_received" if case.status == "complement_requested" else "text_added"
    content = {"text": text.strip(), "channel": channel, **restart_clock(session, case, now)}
    append_event(session, case, kind, actor, content, now)


_NOT_SAID = frozenset({"key", "evidence", "filed_by", "authority_id", "alerts", "timetable"})


def content_hash(filing: Filing) -> bytes:
    """SHA-256 over what was said (not over who handed it in, nor over the key): 32 bytes."""
    said = {name: value for name, value in vars(filing).items() if name not in _NOT_SAID}
    said["files"] = [item.original_sha256.hex() for item in filing.evidence]
    return hashlib.sha256(chain.canonical(said).encode()).digest()


def _find_intake(session: Session, filing: Filing) -> Intake | None:
    return session.exec(
        select(Intake).where(Intake.authority_id == filing.authority_id, Intake.key == filing.key)
    ).first()


def _claim_key(session: Session, filing: Filing, now: datetime) -> Intake | UUID:
    """The id of the case to be, once the key is ours; or the intake that was faster (PostgreSQL waits for it)."""
    case_id = new_id()
    try:
        with session.begin_nested():
            session.add(
                Intake(
                    authority_id=filing.authority_id,
                    key=filing.key,
                    content_hash=content_hash(filing),
                    case_id=case_id,
                    created_at=now,
                )
            )
    except IntegrityError:
        winner = _find_intake(session, filing)
        if winner is None:
            raise
        return winner
    return case_id


def _replay(session: Session, keyring: Keyring, filing: Filing, intake: Intake) -> Filed:
    case = session.get_one(CaseFile, (intake.authority_id, intake.case_id))
    return Filed(case, case_key(keyring, case), replay=True, differs=intake.content_hash != content_hash(filing))


def _write_case(
    session: Session, keyring: Keyring, authority: Authority, filing: Filing, case_id: UUID, now: datetime
) -> CaseFile:
    found = identify(
        session,
        filing.authority_id,
        seal=filing.seal,
        plate=filing.plate,
        fleet_number=filing.fleet_number,
        today=local_date(authority, now),
    )
    subjects = freeze_subjects(authority.law_id, filing.subjects)
    identity = _identity_to_keep(filing)
    case = _new_case(filing, found, subjects, case_id, _free_protocol(session), now)
    case.confidentiality = _confidentiality(filing, subjects, identity)
    term = case_term(session, authority, now)
    if term:
        case.due_on, case.clock_law_id = term.due, term.law_id
    actor = staff_actor(filing.filed_by) if filing.filed_by else "rider"
    open_history(session, case, actor, _filed_content(case, filing, subjects, found, term), now)
    store_subjects(session, case, subjects, "rider")
    store_identity(session, keyring, case, identity, now)
    attach_evidence(session, case, filing.evidence, now)
    session.flush()
    notify_reporter(
        session,
        keyring,
        authority=authority,
        case=case,
        purpose="receipt",
        seq=case.event_count,
        now=now,
    )
    return case


def _new_case(
    filing: Filing,
    found: Identified,
    subjects: tuple[FrozenSubject, ...],
    case_id: UUID,
    protocol: str,
    now: datetime,
) -> CaseFile:
    vehicle = found.vehicle
    line = (filing.line_id, filing.line_name)
    if line == (None, None) and vehicle:
        line = (vehicle.line_id, vehicle.line_name)
    return CaseFile(
        authority_id=filing.authority_id,
        id=case_id,
        protocol=protocol,
        kind=filing.kind,
        status="received",
        channel=filing.channel,
        confidentiality="named",
        urgent=any(subject.urgent for subject in subjects),
        service=_service(filing, found),
        filed_at=now,
        changed_at=now,
        vehicle_id=vehicle.id if vehicle else None,
        seal_id=found.seal.id if found.seal else None,
        seal_typed=filing.seal[:40] or None,
        plate_typed=filing.plate[:40] or None,
        fleet_typed=filing.fleet_number[:40] or None,
        line_id=line[0],
        line_name=line[1],
        findings=chain.canonical({"findings": list(found.findings)}),
        head=b"",
        event_count=0,
    )


def _free_protocol(session: Session) -> str:
    while True:
        protocol = new_protocol()
        if session.exec(select(CaseFile.id).where(CaseFile.protocol == protocol)).first() is None:
            return protocol


def _service(filing: Filing, found: Identified) -> str:
    """`regulated` when a registered vehicle or a line is known, else `unknown` until staff say."""
    return "regulated" if found.vehicle or filing.line_id else "unknown"


def _identity_to_keep(filing: Filing) -> Identity:
    if filing.confidentiality == "anonymous":
        return Identity()
    return Identity(filing.name.strip(), filing.phone, filing.email.strip(), filing.address)


def _confidentiality(filing: Filing, subjects: tuple[FrozenSubject, ...], identity: Identity) -> str:
    if identity.is_empty():
        return "anonymous"
    if filing.confidentiality:
        return filing.confidentiality
    return "confidential" if any(subject.confidential for subject in subjects) else "named"


def _filed_content(
    case: CaseFile, filing: Filing, subjects: tuple[FrozenSubject, ...], found: Identified, term: Term | None
) -> dict[str, object]:
    return {
        "protocol": case.protocol,
        "kind": case.kind,
        "channel": case.channel,
        "confidentiality": case.confidentiality,
        "urgent": case.urgent,
        "service": case.service,
        "vehicle_id": case.vehicle_id.hex if case.vehicle_id else None,
        "seal_id": case.seal_id.hex if case.seal_id else None,
        "text": filing.text.strip(),
        "occurred": filing.occurred.strip(),
        "place": filing.place.strip(),
        "seal": filing.seal,
        "plate": filing.plate,
        "fleet_number": filing.fleet_number,
        "line_id": case.line_id,
        "line_name": case.line_name,
        "subjects": subjects_content(subjects),
        "findings": list(found.findings),
        **({"alerts": list(filing.alerts)} if filing.alerts else {}),
        **({"timetable": dict(filing.timetable)} if filing.timetable else {}),
        "term": term_content(term),
        "files": [item.original_sha256.hex() for item in filing.evidence],
    }
