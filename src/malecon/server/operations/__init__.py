"""What the host of a server needs: metrics and logs, limits, the memory budget, and the examination of the machine.

The doctor reads the logs of tables from the database; the rest knows neither tables nor people, only keys to count by.
"""
