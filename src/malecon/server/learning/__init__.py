"""What people have learned: ratings at puzzles, progress in lessons, stored analyses, choices in finished games."""
