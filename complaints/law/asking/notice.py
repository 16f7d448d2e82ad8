"""Whether a document of the inspectors is complete: `selo law ask` with `notice`."""

from typing import Annotated, Literal

from pydantic import AfterValidator, StrictStr, ValidationInfo

from complaints.law.asking.answer import Answer
from complaints.law.asking.matter import Matter
from complaints.law.asking.words import GivenFacts, rulebook_of
from complaints.law.procedure import Document
from complaints.law.vocabulary import get_vocabulary


def _known_document(word: str, info: ValidationInfo) -> str:
    own = (document.id for document in rulebook_of(info).documents)
    if word not in (*get_vocabulary().closed.documents, *own):
        raise ValueError(f"unknown document {word!r}")
    return word


def _known_field(word: str, info: ValidationInfo) -> str:
    own = (field.name for document in rulebook_of(info).documents for field in document.fields)
    if word not in (*get_vocabulary().closed.document_fields, *own):
        raise ValueError(f"unknown field of a document {word!r}")
    return word


class NoticeGiven(GivenFacts):
    """A document, who drove, what the inspection said, and the fields that are filled."""

    document: Annotated[StrictStr, AfterValidator(_known_document)]
    driver: Literal["holder", "registered", "unregistered"] | None = None
    inspection: Literal["rejected", "approved_with_reservation", "none"] | None = None
    fields: list[Annotated[StrictStr, AfterValidator(_known_field)]]


def answer_notice(matter: Matter[NoticeGiven]) -> Answer:
    """Answer whether the document may stand, and which fields are missing."""
    rulebook, given = matter.rulebook, matter.given
    document = next((row for row in rulebook.documents if row.id == given.document), None)
    if document is None:
        return Answer("not_applicable" if not rulebook.documents else "no_rule", fields={"decision": None})
    answer = Answer(rule=document.citations[0])
    answer.cite(*document.citations)
    answer.fields |= {"decision": None, "missing_fields": [], "punitive": document.punitive}
    if document.points is not None:
        answer.fields["points"] = document.points
    if document.inspection_results and not _has_inspection(matter, answer, document):
        return answer
    missing = _missing_fields(matter, answer, document)
    if missing or not answer.missing:
        answer.fields["decision"] = "incomplete" if missing else "accept"
    answer.fields["missing_fields"] = missing
    return answer


def _has_inspection(matter: Matter[NoticeGiven], answer: Answer, document: Document) -> bool:
    result = matter.given.inspection
    if result is None:
        answer.lack("given.inspection")
    elif result not in document.inspection_results:
        answer.fields["decision"] = "refuse"
    return result in document.inspection_results


def _missing_fields(matter: Matter[NoticeGiven], answer: Answer, document: Document) -> list[str]:
    given = matter.given
    missing = []
    for field in document.fields:
        if field.name in given.fields or field.when == "possible":
            continue
        if field.when == "registered_driver" and given.driver != "registered":
            if given.driver is None:
                answer.lack("given.driver")
            continue
        missing.append(field.name)
        answer.cite(*field.citations)
    return missing
