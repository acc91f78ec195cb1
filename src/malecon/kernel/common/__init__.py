"""What the games here do alike: pesos and points, lists of moves, answers to verbs, words. No game has to use it."""
