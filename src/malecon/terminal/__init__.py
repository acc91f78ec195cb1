"""The table in the terminal: boards, prompts and figures, drawn with Rich. No rules, no sentences of games."""
