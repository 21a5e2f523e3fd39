"""`python -m seewhy` is `seewhy`."""

from seewhy.cli import main

if __name__ == "__main__":
    main()
