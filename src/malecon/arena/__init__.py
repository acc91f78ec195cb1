"""Many games between bots: simulation and its statistics. How a single move is chosen is not decided here."""
