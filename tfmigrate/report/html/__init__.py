"""``--report``: one HTML file for people, which loads nothing from anywhere and runs no script."""
