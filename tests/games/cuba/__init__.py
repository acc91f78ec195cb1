"""Tests of the rules of Cuba: each ruling, each card, building and law under its own name."""
