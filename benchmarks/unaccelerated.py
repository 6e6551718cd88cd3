"""`pencilbox` as it runs without reportlab's C helpers (rl_accel)."""

import sys

sys.modules["_rl_accel"] = None  # type: ignore[assignment]

from generator.cli import main  # noqa: E402

main()
