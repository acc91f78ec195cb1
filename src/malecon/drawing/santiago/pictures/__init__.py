"""The pictures of Santiago de Cuba, each by itself: facades, people. Where they stand on the board is elsewhere."""
