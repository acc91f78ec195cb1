"""The people: who sends a request, accounts and their sessions, who is connected, ratings, web hooks.

Nothing here draws a page or makes a move.
"""
