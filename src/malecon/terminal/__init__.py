"""Games in the terminal, drawn with Rich: playing, replaying, boards, and tables of results."""
