"""What the host of a server looks after: metrics and logs, limits, the examination of the machine.

Nothing here knows a table or a person; those who do count and ask here.
"""
