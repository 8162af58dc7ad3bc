"""`python -m poise` is the command `poise`."""

from poise.cli import main

if __name__ == "__main__":
    main()
