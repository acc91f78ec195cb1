"""Interfaces for other programs that think: the Model Context Protocol, and an analysis protocol of JSON lines."""
