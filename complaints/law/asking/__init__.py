"""Questions put to a law: one question in, one answer out, the same each time."""
