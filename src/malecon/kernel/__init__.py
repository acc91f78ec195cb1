"""What games are made of: the verbs they implement, the `@kernel` decorator, notation, journal, randomness, views."""
