"""Parliament in Cuba (pp. 9 to 11): how two laws are enacted in a round, and what they then do to everybody."""
