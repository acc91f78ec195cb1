"""The rules of Santiago de Cuba, a module for each part of the rulebook, and why a move is not allowed."""
