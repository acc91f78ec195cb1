"""Moderation: bans, reports, and what is kept of a person."""
