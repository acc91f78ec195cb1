"""The outermost room: the application and its routes, the guard before them, the services that they share.

A route takes a request apart, has another room do the work, and answers. It decides nothing itself.
"""
