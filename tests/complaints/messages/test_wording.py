"""The table of words, read whole."""

from dataclasses import dataclass

import pytest

from complaints.messages.gsm7 import count_segments, fold, is_gsm7
from complaints.messages.wording import (
    MAX_SEGMENTS,
    SITE,
    Wording,
    finish_text,
    get_words,
    placeholders,
    write_message,
)

WORDS = get_words()
PURPOSES = sorted(WORDS.purposes)
NOTICES = [name for name in PURPOSES if not name.startswith("reply_")]
MEANS_OPERATOR = ("motorista", "permission", "cpf", "dono")


@dataclass
class Town:
    """A town with the longest names."""

    slug: str = WORDS.longest["slug"]
    name: str = WORDS.longest["authority_name"]
    short_name: str = WORDS.longest["authority"]
    demo: bool = True


@pytest.mark.parametrize("purpose", PURPOSES)
def test_every_sms_fits_two_segments_with_the_longest_values(purpose: str) -> None:
    written = write_message(purpose, "sms", Town(), WORDS.longest)
    whole = fold(written.text.replace(SITE, WORDS.longest["site"]))
    if not WORDS.purposes[purpose].cut:
        assert count_segments(whole) <= MAX_SEGMENTS, f"{len(whole)} characters: {whole}"
    sent = finish_text("sms", written.text, WORDS.longest["site"])
    assert is_gsm7(sent)
    assert count_segments(sent) <= MAX_SEGMENTS


@pytest.mark.parametrize("purpose", PURPOSES)
def test_every_text_of_a_demonstration_says_so_first(purpose: str) -> None:
    assert write_message(purpose, "sms", Town(), WORDS.longest).text.startswith("DEMONSTRAÇÃO")
    assert "DEMONSTRA" not in write_message(purpose, "sms", Town(demo=False), WORDS.longest).text


@pytest.mark.parametrize("purpose", PURPOSES)
def test_every_placeholder_has_a_longest_value(purpose: str) -> None:
    wording = WORDS.purposes[purpose]
    wanted = placeholders(wording.sms) | placeholders(wording.subject) | placeholders(wording.email)
    assert wanted <= set(WORDS.longest)


@pytest.mark.parametrize("purpose", PURPOSES)
def test_no_message_speaks_of_the_operator(purpose: str) -> None:
    wording = WORDS.purposes[purpose]
    said = f"{wording.sms} {wording.email}".lower()
    assert not any(word in said for word in MEANS_OPERATOR)


@pytest.mark.parametrize("purpose", PURPOSES)
def test_an_address_in_a_text_never_carries_the_key(purpose: str) -> None:
    wording = WORDS.purposes[purpose]
    for word in f"{wording.sms} {wording.email}".split():
        assert "{site}" not in word or "{key}" not in word


@pytest.mark.parametrize("purpose", NOTICES)
def test_every_notice_has_an_e_mail_with_subject_protocol_and_signature(purpose: str) -> None:
    written = write_message(purpose, "email", Town(), WORDS.longest)
    assert written.subject.startswith("DEMONSTRAÇÃO [Transporte Marechal Floriano] ")
    assert WORDS.longest["protocol"] in written.subject + written.text
    assert "\n" not in written.subject
    assert Town.name in written.text
    assert written.text.rstrip().endswith("inventados.")
    assert "DEMONSTRA" not in write_message(purpose, "email", Town(demo=False), WORDS.longest).text


def test_a_reply_has_no_e_mail() -> None:
    with pytest.raises(KeyError, match="reply_help"):
        write_message("reply_help", "email", Town(), WORDS.longest)


def test_a_missing_value_or_an_unknown_purpose_is_named() -> None:
    with pytest.raises(KeyError, match="protocol"):
        write_message("answered", "sms", Town(), {})
    with pytest.raises(KeyError, match="birthday"):
        write_message("birthday", "sms", Town(), {})


def test_values_are_put_in_once_and_never_read_as_a_pattern() -> None:
    written = write_message("reply_seal_unknown", "sms", Town(), {"seal": "{key} {0} %s"})
    assert "{key} {0} %s" in written.text


def test_only_sms_loses_its_accents_and_the_address_is_filled_in_for_all() -> None:
    text = f"Não há prazo. Veja {SITE}/marica/acompanhar"
    assert (
        finish_text("sms", text, "https://a.example") == "Nao ha prazo. Veja https://a.example/marica/acompanhar"
    )
    assert finish_text("whatsapp", text, "https://a.example").startswith("Não há prazo.")
    assert finish_text("email", text, "https://a.example").endswith("https://a.example/marica/acompanhar")


def test_an_sms_that_would_be_too_long_is_cut_at_its_end() -> None:
    answer = " Resposta: " + "o veículo foi vistoriado. " * 40
    values = {**WORDS.longest, "answer": answer}
    sent = finish_text(
        "sms", write_message("reply_status_answer", "sms", Town(), values).text, "https://a.example"
    )
    assert count_segments(sent) == MAX_SEGMENTS
    assert "Resposta: o veiculo foi vistoriado." in sent
    assert sent.endswith("...")


def test_wordings_are_whole_sentences_without_double_blanks() -> None:
    for name, wording in WORDS.purposes.items():
        assert isinstance(wording, Wording)
        assert "  " not in wording.sms, name
        assert wording.sms == wording.sms.strip(), name
