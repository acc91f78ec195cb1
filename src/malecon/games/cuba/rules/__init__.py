"""The rules of Cuba, a module for each part of the rulebook, and why a move is not allowed."""
