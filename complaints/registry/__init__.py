"""Permits, holders, vehicles and seals."""
