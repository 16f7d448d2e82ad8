"""What a text is read as: invented samples of how people write."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaints.ids import ALPHABET
from complaints.messages.conversation import fold_words, get_vocabulary, understand
from complaints.registry.seal_code import check_character, format_code

COMPLAINTS = [
    "K7.. motorista no zap dirigindo, linha 12 agr, perto da upa",
    "esperei 50 min com minha mae d 70 e qdo veio passou direto dizendo q ja tinha 2 idoso",
    "BOA TARDE GOSTARIA DE RECLAMAR DO CARRO 304 ELEVADOR QUEBRADO FAZ MES MEU IRMAO SUBIU NO COLO",
    "a tia da van deixou meu menino na esquina errada ele tem 6 anos vírgula quem responde por isso",
    "Parabéns aos envolvidos, três van junta e depois 1h sem nada 👏👏",
    "não foi grosso não, só não parou. toda terça. placa acho q LZZ alguma coisa 23",
    "LINHA 5 passou direto",
    "selo vencido na van",
    "HORARIO 5 nunca é cumprido",
    "TARIFA cobrada errada",
    "ajuda o motorista tá bêbado",
    "voltar do serviço foi um inferno",
    "ele não quis parar",
    "kd a van",
    "motorista grosso",
    "van lotada",
    "carro 15 minutos atrasado",
    "parar no ponto ele nao para",
    "sair do ponto sem esperar subir é normal?",
    "menu do motorista é correr",
    "quanto custa manter uma van nesse estado",
    "que horas a van vai passar to esperando faz 1 hora",
    "nao deu troco ficou com 2,30 meu",
    "o selo ta raspado nao da pra ler",
    "obrigado por nada fiquei 2h no ponto",
]


@pytest.mark.parametrize("text", COMPLAINTS)
def test_a_text_with_substance_is_a_complaint_and_kept_as_typed(text: str) -> None:
    understood = understand(text)
    assert (understood.intent, understood.text) == ("complaint", text)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("PARAR", "stop"),
        ("pare", "stop"),
        ("Sair.", "stop"),
        ("remover por favor", "stop"),
        ("STOP", "stop"),
        ("cancelar", "cancel"),
        ("voltar", "start"),
        ("INICIAR", "start"),
        ("Ajuda!", "help"),
        ("?", "help"),
        ("???", "help"),
        ("menu", "help"),
        ("quero reclamar", "help"),
        ("linha 5", "lines"),
        ("HORARIO", "lines"),
        ("horário 5", "lines"),
        ("linha E04", "lines"),
        ("que horas passa a linha 5?", "lines"),
        ("qual o horario da van", "lines"),
        ("tarifa", "fares"),
        ("quanto custa a passagem?", "fares"),
        ("qual o valor da passagem", "fares"),
        ("oi", "greeting"),
        ("Bom dia", "greeting"),
        ("bom dia, alguém aí?", "greeting"),
        ("oi tudo bem", "greeting"),
        ("teste", "greeting"),
        ("obrigada", "thanks"),
        ("vlw 👍", "thanks"),
        ("ok", "thanks"),
        ("muito obrigado pela atenção", "thanks"),
        ("", "empty"),
        ("   ", "empty"),
        ("kkkkkk", "empty"),
        ("👏👏", "empty"),
        ("lotada", "empty"),
        ("1", "empty"),
        ("...", "empty"),
        ("7K2M9PXQV", "vehicle"),
        ("selo 7k2-m9p-xqv", "vehicle"),
        ("esse selo é válido? 7K2M9PXQV", "vehicle"),
        ("7K2M9PXQV está regular?", "vehicle"),
        ("https://transporte.example/S/7K2M9PXQV", "vehicle"),
        ("placa LZZ-1023", "vehicle"),
        ("LZZ1A23", "vehicle"),
        ("selo 1234", "vehicle"),
        ("1234 5678 9012", "protocol_unreadable"),
        ("protocolo 123", "protocol_unreadable"),
        ("protocolo", "protocol_unreadable"),
    ],
)
def test_a_command_is_its_word_and_nothing_else(text: str, intent: str) -> None:
    assert understand(text).intent == intent


@pytest.mark.parametrize(
    ("text", "seal", "checks"),
    [
        ("7K2M9PXQV motorista correndo", "7K2M9PXQV", True),
        ("motorista correndo, selo 7k2m9pxqv", "7K2M9PXQV", True),
        ("7k2 m9p xqv a van ta caindo aos pedaços", "7K2M9PXQV", True),
        ("na 7K2-M9P-XQV nao tem ar", "7K2M9PXQV", True),
        ("Selo: 7K2M 9PXQV. sem cinto", "7K2M9PXQV", True),
        ("Selo7K2M9PXQV sem ar", "7K2M9PXQV", True),
        ("motorista fumando (7K2M9PXQV)", "7K2M9PXQV", True),
        ("vi em https://t.example/S/7K2M9PXQV o motorista fumando", "7K2M9PXQV", True),
        ("7K2M9PXQW motorista correndo", "7K2M9PXQW", False),
        ("selo 7K2 M9P XQW motorista correndo", "7K2 M9P XQW", False),
        ("selo n. 1234 vencido", "1234", False),
        ("selo 77 A rasgado", "77", False),
        ("7K2M9PXQ motorista correndo", "7K2M9PXQ", False),
        ("3 barracas quebradas no ponto", "", False),
        ("selo vencido desde o dia 25", "", False),
        ("passou as 22 da tarde na parada", "", False),
        ("placa LZZ1A23 correndo", "", False),
        ("me liga no 21 99999-8888 o motorista me xingou", "", False),
        ("esperei das 1430 ate as 1500", "", False),
    ],
)
def test_a_seal_is_found_anywhere_and_a_near_miss_is_kept_as_typed(text: str, seal: str, checks: bool) -> None:
    understood = understand(text)
    assert understood.intent == "complaint"
    assert (understood.seal, understood.seal_checks) == (seal, checks)
    assert understood.text == text


@pytest.mark.parametrize(
    ("text", "plate"),
    [
        ("placa LZZ-1023 correndo", "LZZ1A23"),
        ("placa lzz 1023 fumando", "LZZ1A23"),
        ("a placa da van é lzz 1023 e ele fumando", "LZZ1A23"),
        ("LZZ1A23 correndo muito", "LZZ1A23"),
        ("van lzz1023 correndo", "LZZ1A23"),
        ("lzz 1a23 sem cinto", "LZZ1A23"),
        ("ABC 1234 fumando", ""),
        ("esperei das 1430 ate as 1500", ""),
        ("placa final 45 correndo", ""),
    ],
)
def test_a_plate_is_found_in_both_forms_but_not_in_ordinary_words(text: str, plate: str) -> None:
    assert understand(text).plate == plate


@pytest.mark.parametrize(
    ("text", "line", "fleet"),
    [
        ("linha 12 atrasada", "12", ""),
        ("LINHA E04 nao passou", "E04", ""),
        ("linha n 5 lotada", "5", ""),
        ("linha errada no letreiro", "", ""),
        ("carro 304 com elevador quebrado", "", "304"),
        ("prefixo n. 22 sem cinto", "", "22"),
        ("carro 15 minutos atrasado", "", ""),
        ("carro 20 reais de uber porque nao passou", "", ""),
        ("linha 12 carro 304 as 12h", "12", "304"),
    ],
)
def test_line_and_fleet_number_are_taken_from_the_text(text: str, line: str, fleet: str) -> None:
    understood = understand(text)
    assert (understood.line_name, understood.fleet_number) == (line, fleet)


@pytest.mark.parametrize(
    ("text", "protocol", "key", "rest"),
    [
        ("123456789018", "123456789018", "", ""),
        ("1234 5678 9018", "123456789018", "", ""),
        ("protocolo 1234-5678-9018", "123456789018", "", ""),
        ("qual o andamento do protocolo 1234 5678 9018?", "123456789018", "", ""),
        ("1234 5678 9018 7K2M9PXQ", "123456789018", "7K2M9PXQ", ""),
        ("protocolo 1234 5678 9018 chave 7k2m-9pxq", "123456789018", "7K2M9PXQ", ""),
        ("1234 5678 9018 foi as 7 da manha", "123456789018", "", "foi as 7 da manha"),
        ("1234 5678 9018: a van era branca", "123456789018", "", "a van era branca"),
        ("1234 5678 9018 branca", "123456789018", "", "branca"),
        ("1234 5678 9018 chave PQRSTVWX", "123456789018", "PQRSTVWX", "chave PQRSTVWX"),
    ],
)
def test_a_protocol_is_followed_and_words_beside_it_are_kept(
    text: str, protocol: str, key: str, rest: str
) -> None:
    understood = understand(text)
    assert understood.intent == "protocol"
    assert (understood.protocol, understood.key, understood.rest) == (protocol, key, rest)


@pytest.mark.parametrize(
    ("text", "danger"),
    [
        ("ajuda o motorista tá bêbado", "drunk_driver"),
        ("motorista cheirando a cachaça na linha 5", "drunk_driver"),
        ("a van bateu, acidente na rj106, gente ferida", "accident"),
        ("acidente semana passada na rj106 e ninguem respondeu", ""),
        ("um cara armado dentro da van", "violence"),
        ("faça alguma coisa com essa linha", ""),
        ("tiro foto todo dia dessa sucata", ""),
        ("um homem passou a mão em mim", "harassment"),
        ("a van ta pegando fogo", "danger"),
        ("esse motorista quer me matar de tanto correr", ""),
        ("cansei dessa van, quero morrer", "life"),
        ("assalto", "violence"),
    ],
)
def test_danger_is_heard_and_the_past_or_a_figure_of_speech_is_not(text: str, danger: str) -> None:
    assert understand(text).danger == danger


@pytest.mark.parametrize(
    ("text", "confidential", "kind"),
    [
        ("motorista grosso, quero sigilo", True, "complaint"),
        ("nao quero que saibam que fui eu mas a van anda sem cinto", True, "complaint"),
        ("tenho 12 anos e o motorista gritou comigo", True, "complaint"),
        ("tenho 62 anos e o motorista gritou comigo", False, "complaint"),
        ("quero elogiar o motorista da linha 12", False, "praise"),
        ("sugestão: mais vans no domingo", False, "suggestion"),
        ("quero fazer uma denuncia de van pirata no centro", False, "report"),
        ("Parabéns pela demora", False, "complaint"),
    ],
)
def test_secrecy_and_kind_are_guessed_and_never_asked(text: str, confidential: bool, kind: str) -> None:
    understood = understand(text)
    assert (understood.confidential, understood.kind) == (confidential, kind)


@given(st.text(alphabet=ALPHABET, min_size=8, max_size=8), st.sampled_from(["", "-", " "]), st.booleans())
def test_any_code_with_a_digit_is_found_however_it_is_typed(body: str, between: str, upper: bool) -> None:
    code = body + check_character(body)
    groups = format_code(code).split()
    if not any(character.isdigit() for character in code[:3]) or groups[0].isdigit():
        groups = [code]
    typed = between.join(groups)
    understood = understand(f"selo {typed if upper else typed.lower()}, motorista correndo")
    assert (understood.seal, understood.seal_checks) == (code, True)


@given(st.text(max_size=400))
def test_whatever_is_typed_is_read_without_failing_and_kept(text: str) -> None:
    assert understand(text).text == text.strip()


def test_the_words_of_the_table_are_folded() -> None:
    vocabulary = get_vocabulary()
    single = vocabulary.courtesy | vocabulary.thanks | vocabulary.filler
    phrases = {phrase for danger in vocabulary.dangers.values() for phrase in (*danger.phrases, *danger.unless)}
    commands = {word for words in vocabulary.commands.values() for word in words}
    for word in single | phrases | commands | set(vocabulary.confidential):
        assert fold_words(word) == word
    assert all(" " not in word for word in single)
