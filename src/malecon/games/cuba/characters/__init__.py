"""The five characters of Cuba (pp. 7 to 9), a module for each card. The turn that they are played in is in `rules`."""
