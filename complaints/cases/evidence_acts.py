"""What happens to files on a case after it was filed: more arrive, some are taken from view."""

from datetime import datetime

from sqlmodel import Session

from complaints.cases.evidence import PreparedEvidence, attach_evidence, visible_state
from complaints.cases.history import append_event
from complaints.cases.tables import CaseFile, Evidence


def hide_evidence(
    session: Session, case: CaseFile, evidence: Evidence, reason: str, actor: str, now: datetime
) -> None:
    """Take a file from every page; `case` loaded for change. Nothing happens to one that is hidden."""
    if evidence.state != "hidden":
        evidence.state = "hidden"
        append_event(session, case, "evidence_hidden", actor, {"file": evidence.public_id, "reason": reason}, now)


def show_evidence(
    session: Session, case: CaseFile, evidence: Evidence, reason: str, actor: str, now: datetime
) -> None:
    """Take back hide_evidence."""
    if evidence.state == "hidden":
        evidence.state = visible_state(evidence.clean_key)
        append_event(session, case, "evidence_shown", actor, {"file": evidence.public_id, "reason": reason}, now)


def add_evidence(
    session: Session, case: CaseFile, prepared: tuple[PreparedEvidence, ...], actor: str, now: datetime
) -> None:
    """Add files to a case loaded for change, `prepared` holds at least one."""
    attach_evidence(session, case, prepared, now)
    hashes = [item.original_sha256.hex() for item in prepared]
    append_event(session, case, "evidence_added", actor, {"files": hashes, "count": len(hashes)}, now)
