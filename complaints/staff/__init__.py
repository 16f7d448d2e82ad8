"""Staff accounts, sessions and what each role may do."""
