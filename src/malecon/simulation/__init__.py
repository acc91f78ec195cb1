"""Very many games: simple bots in one kernel, and any work spread over processes. What is worth playing, others say."""
