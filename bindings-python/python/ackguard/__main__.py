"""The command `ackguard`, also as `python -m ackguard`."""

from __future__ import annotations

import signal
import sys

from ackguard._native import _main


def main() -> int:
    """Runs the command with the process's arguments and gives its exit code."""
    # The command does not come back to Python while it works: Ctrl-C has to end it as it ends any other program.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _main(["ackguard", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
