"""The lobby: tables that wait for players, finding a game, and what everybody who looks is shown.

A waiting table is no game yet: it becomes one when its seats are taken. Nothing here draws a page or makes a move.
"""
