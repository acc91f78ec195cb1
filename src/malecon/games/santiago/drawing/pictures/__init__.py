"""The pictures of the game, as files."""
