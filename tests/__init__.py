"""Tests of Malecón. Folders mirror `src/malecon`; `browser` drives real browsers; `paseo` is a third-party game."""
