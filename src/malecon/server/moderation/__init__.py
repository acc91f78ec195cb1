"""Moderation: the rules of a server, sanctions, reports, and the export of personal data."""
