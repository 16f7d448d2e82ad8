"""The stored words of a case beside the words people read and send, each pair in one place."""

KINDS = {
    "reclamacao": "Reclamação",
    "denuncia": "Denúncia",
    "solicitacao": "Pedido de serviço ou informação",
    "sugestao": "Sugestão",
    "elogio": "Elogio",
}
"""What the form sends for the kind, with its label."""

STORED_KINDS = {
    "reclamacao": "complaint",
    "denuncia": "report",
    "solicitacao": "request",
    "sugestao": "suggestion",
    "elogio": "praise",
}

KIND_LABELS = {stored: KINDS[sent] for sent, stored in STORED_KINDS.items()}

CONFIDENTIALITY = (
    (
        "identificado",
        "Com meu nome",
        "A equipe vê seu nome e contato. O operador da van ou do ônibus não vê.",
    ),
    (
        "sigiloso",
        "Com sigilo",
        "Só quem trata o caso vê seu nome e contato, e cada consulta fica registrada com o motivo.",
    ),
    (
        "anonimo",
        "Sem me identificar",
        "Não guardamos nome, telefone nem e-mail. Guarde o protocolo e a chave: eles não podem ser recuperados.",
    ),
)
"""What the form sends, with its label and who will see what."""

STORED_CONFIDENTIALITY = {"identificado": "named", "sigiloso": "confidential", "anonimo": "anonymous"}

CONFIDENTIALITY_LABELS = {STORED_CONFIDENTIALITY[sent]: label for sent, label, _ in CONFIDENTIALITY}

CHANNEL_LABELS = {
    "web": "Página",
    "sms": "SMS",
    "whatsapp": "WhatsApp",
    "phone": "Telefone",
    "counter": "Balcão",
    "letter": "Carta",
    "staff": "Equipe",
}

FINDINGS = {
    "seal_unknown": "O código do selo não está no cadastro.",
    "seal_elsewhere": "O selo é de outro município.",
    "seal_malformed": "O código do selo foi digitado com algum engano.",
    "seal_expired": "O selo está vencido.",
    "seal_revoked": "O selo foi cancelado.",
    "plate_unknown": "A placa não está no cadastro.",
    "plate_differs": "A placa não é a do veículo que recebeu este selo.",
}
"""What was found odd about seal and vehicle, in words for riders and staff."""
