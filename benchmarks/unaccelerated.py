"""`pencilbox` as it runs where reportlab's C helpers (rl_accel) are not installed."""

import sys

sys.modules["_rl_accel"] = None  # type: ignore[assignment]

from generator.cli import main  # noqa: E402

main()
