"""What a viewer is shown and how it is sent: made of that viewer's own view of a table and of nothing else.

Templates, styles and scripts lie here as well. Nothing here changes a table, and no request is answered here.
"""
