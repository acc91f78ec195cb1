"""The lobby: tables that wait for players, finding a game, and a snapshot of it for everybody.

A waiting table becomes a game when its seats are taken.
"""
