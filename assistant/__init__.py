"""What the sight of the table means: games, reconstruction, findings, advice, record, web."""

__version__ = "0.1.0"
