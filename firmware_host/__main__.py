"""``python -m firmware_host`` is ``boxkeeper``."""

from __future__ import annotations

import sys

from firmware_host.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
