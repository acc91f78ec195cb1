"""The web application: its routes, the guard before them, and the services they share.

A route reads a request, calls another package, and answers; it makes no decisions itself.
"""
