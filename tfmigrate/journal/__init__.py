"""What ``apply`` changed, kept in the project so that it can be given back (``undo``) and compared (``verify``)."""
