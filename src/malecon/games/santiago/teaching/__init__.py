"""How Santiago de Cuba is taught: lessons, themes of puzzles, what the explorer counts, what explanations mention."""
