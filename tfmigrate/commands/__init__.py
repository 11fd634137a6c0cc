"""What the commands do. The command line itself is in :mod:`tfmigrate.cli`."""
