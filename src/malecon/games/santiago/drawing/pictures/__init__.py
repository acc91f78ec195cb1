"""The pictures of Santiago de Cuba, each by itself: facades, people. Their places on the board are elsewhere."""
