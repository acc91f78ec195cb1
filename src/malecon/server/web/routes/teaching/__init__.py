"""The routes of `malecon.teaching`: puzzles and exercises, lessons, the analysis board, the explorer."""
