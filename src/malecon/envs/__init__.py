"""Research interfaces: PettingZoo, OpenSpiel, Gymnasium, a vectorised environment, data. Rules and bots live elsewhere.

Nothing here is imported by the rest of the library; each interface says which extra it needs where that is missing.
"""
