"""A teacher at the table: puzzles and how they are made. Why a move is better is said in `reasons`; no rules."""
