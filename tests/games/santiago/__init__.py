"""Tests of the rules of Santiago de Cuba: each ruling and each example of the rulebook under its own name."""
