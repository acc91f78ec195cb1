"""What pictures of people and houses are made of in every game. Their places on a board are elsewhere."""
