"""Tests of the kernel: the cache, randomness, notation, journal, phrases and verbs, without any game's rules."""
