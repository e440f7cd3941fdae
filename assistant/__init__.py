"""What the sight of the table means: games, reconstruction, findings, advice, record, web."""
