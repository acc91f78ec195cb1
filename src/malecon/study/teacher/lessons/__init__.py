"""Lessons that one plays: a position, a goal, words for the usual wrong turns, and a reason afterwards.

How a lesson goes is in `lesson`; the lessons of each game are data, in a module of its own. No pages.
"""
