"""Tournaments between bots, ours and others', and what they show. How a move is chosen is decided elsewhere."""
