"""Learning: ratings at puzzles, progress in lessons, stored analyses, and choices counted in finished games."""
