"""``python -m gramian`` is the command ``gramian``."""

from gramian.cli import main

if __name__ == "__main__":
    main()
