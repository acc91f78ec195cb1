"""Company: how people find each other and what they say. Nothing here draws a page or makes a move."""
