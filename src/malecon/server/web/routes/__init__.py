"""The routes: each takes a request apart, has another room do the work, and answers. None imports another."""
