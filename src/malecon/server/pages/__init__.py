"""Pages: what a viewer sees, made of that viewer's own view only, with templates, styles and scripts.

Nothing here changes a table or answers a request.
"""
