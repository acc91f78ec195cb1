"""Research interfaces: PettingZoo, OpenSpiel, Gymnasium, a vectorised environment, data.

Importing `malecon` does not import them, and each says which extra it needs if that is missing.
"""
