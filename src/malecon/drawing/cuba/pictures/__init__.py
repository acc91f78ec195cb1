"""The pictures of Cuba, each by itself: fields, facades, people. Where they stand on the board is elsewhere."""
