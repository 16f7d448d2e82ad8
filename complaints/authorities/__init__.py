"""Authorities, their calendars and their dated choices."""
