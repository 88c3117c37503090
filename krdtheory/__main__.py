"""`python -m krdtheory`."""

from krdtheory.cli import main

main()
