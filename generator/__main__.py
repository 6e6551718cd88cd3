"""The command `pencilbox`, and `python -m generator`."""

import gc


def run() -> None:
    """Runs the command in a process of its own."""
    gc.set_threshold(500_000)  # 700 by default; modules and cards are many small objects with hardly any cycles
    from .cli import run  # after that: it imports libraries, which are many modules

    run()


if __name__ == "__main__":
    run()
