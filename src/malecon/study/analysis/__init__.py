"""The analysis board as a library: any position, laid out by its fields and checked; variations as a tree. No pages."""
