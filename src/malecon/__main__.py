"""`python -m malecon` is the `malecon` command."""

from malecon.cli import main

main()
