"""`python -m ironbark`: the command where its script is not installed."""

import sys

from ironbark.cli import main

if __name__ == "__main__":
    sys.exit(main())
