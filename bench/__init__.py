"""Measurements of the running product beside bare pages on the same machine, in the same run."""
