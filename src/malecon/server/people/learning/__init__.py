"""What people have learnt and played, counted: puzzles by rating, and what was chosen in finished games."""
