"""The tablet's page and the server behind it."""
