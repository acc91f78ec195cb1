"""The pictures of Cuba, each by itself: fields, facades, people. Their places on the board are elsewhere."""
