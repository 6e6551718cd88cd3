"""`python -m generator` is `pencilbox`."""

from .cli import main

if __name__ == "__main__":
    main()
