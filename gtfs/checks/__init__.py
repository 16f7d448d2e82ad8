"""What is wrong with a feed, in words a clerk can act on: one function per rule, one table of severities."""
