"""Messages in and out: words, conversation, outbox, senders."""
