"""Where the two friends are, and what the game waits for."""

import numpy as np

PHASES = ("walking", "sea", "over")
WALKING, SEA, OVER = range(3)
PASEO = np.dtype((np.record, [("phase", np.int8), ("walker", np.int8), ("lamp", np.int8, (2,))]))


def new_position(players):
    return np.zeros(1, PASEO).view(np.recarray)[0]
