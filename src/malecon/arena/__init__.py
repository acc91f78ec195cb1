"""Many games between bots: simulations, tournaments, and what they show. How a move is chosen is decided elsewhere."""
