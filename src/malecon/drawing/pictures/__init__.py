"""What pictures of people and houses are made of in every game. Where a picture stands on a board is elsewhere."""
