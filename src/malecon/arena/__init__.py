"""The arena: tournaments between bots, ours and other people's, their results, and the engine protocol."""
