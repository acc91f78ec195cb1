"""What a game must provide and everyone may call: the verbs, the `@kernel` decorator, notation, journal, randomness."""
