"""The routes of the teacher: puzzles and exercises, lessons, analysis, the explorer. What they teach is in `study`."""
