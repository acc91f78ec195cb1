"""Where bots, hints and reviews are computed: in threads of this process, or, for bots, in worker processes.

Bots get views, never a table. `tables` decides which table needs a move and who pays for it.
"""
