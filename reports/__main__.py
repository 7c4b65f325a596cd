"""``python -m provado.reports`` is ``provado``."""

import sys

from provado.reports.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
