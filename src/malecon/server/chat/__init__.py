"""Conversations at tables: what the seated and the gallery say, who hears it, and what is reported.

Nothing here makes a move or keeps one waiting; what is said is plain text, and nothing else.
"""
