"""Simulation: many games of simple bots in one kernel, their statistics, and work spread over processes."""
