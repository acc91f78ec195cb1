"""The routes: each reads a request, calls another package, and answers. None imports another."""
