class LabError(Exception):
    """Something the user can act on; the command line prints it and exits with 1."""
