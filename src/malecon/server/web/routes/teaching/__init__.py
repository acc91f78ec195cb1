"""The routes of the teacher: puzzles and exercises, lessons, the analysis board. What they teach is in `study`."""
