"""Words for feeds, their versions, uploads and reports, as the clerk's pages say them."""

STATES = {"draft": "rascunho", "published": "publicada", "retired": "retirada"}
UPLOAD_STATES = {
    "waiting": "na fila",
    "working": "em preparo",
    "proposed": "à espera da sua decisão",
    "dropped": "deixada de lado",
    "ready": "pronta",
    "refused": "recusada",
    "failed": "não pôde ser lida",
}
PURPOSES = {"feed": "linhas e horários", "file": "um arquivo trocado", "reference": "rede de comparação"}
STATE_KINDS = {
    "draft": "info",
    "published": "good",
    "retired": "",
    "refused": "bad",
    "failed": "bad",
    "ready": "good",
}
DONE = {
    "publicada": "Publicada. Quem abrir as páginas agora já vê esta versão.",
    "voltou": "A versão escolhida voltou a ser mostrada.",
    "marcada": "A data da publicação foi marcada.",
    "desmarcada": "A publicação marcada foi cancelada.",
    "tarifas": "O arquivo publicado foi atualizado.",
    "referencia": "A rede de comparação foi retirada.",
}
"""What `?feito=` says after an act."""

FEED_WORDS = {
    "states": STATES,
    "upload_states": UPLOAD_STATES,
    "purposes": PURPOSES,
    "state_kinds": STATE_KINDS,
}
"""What every template of these pages may say."""
